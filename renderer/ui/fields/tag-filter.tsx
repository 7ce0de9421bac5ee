import { ChoiceChip } from '../controls/choice-chip.tsx'

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
        <ChoiceChip
          key={tag}
          isChosen={tag === value}
          onClick={() => onChange(tag === value ? null : tag)}
        >
          {tag}
        </ChoiceChip>
      ))}
    </fieldset>
  )
}
