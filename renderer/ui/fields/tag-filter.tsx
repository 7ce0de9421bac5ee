import { classNames } from '../../lib/class-names.ts'

interface TagFilterProps {
  readonly label: string
  readonly tags: readonly string[]
  readonly value: string | null
  readonly onChange: (tag: string | null) => void
}

/** Filters a list by one tag; pressing the selected tag again shows everything. */
export function TagFilter({ label, tags, value, onChange }: TagFilterProps) {
  if (tags.length === 0) return null
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-wrap gap-1.5">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === value}
          onClick={() => onChange(tag === value ? null : tag)}
          className={classNames(
            'h-6 max-w-48 truncate rounded-full border px-2.5 text-small transition-colors duration-(--motion-in) pointer-coarse:min-h-11',
            tag === value
              ? 'border-accent bg-accent-soft font-medium text-accent-strong dark:text-accent'
              : 'border-line text-muted hover:bg-hover hover:text-ink',
          )}
        >
          <bdi>{tag}</bdi>
        </button>
      ))}
    </fieldset>
  )
}
