import { Search } from 'lucide-react'

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Filters the content below it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <search className="relative block w-full min-w-0">
      <Search className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-primary w-full rounded-medium border border-edge bg-raised ps-9 pe-3 text-ui text-ellipsis pointer-coarse:min-h-11"
      />
    </search>
  )
}
