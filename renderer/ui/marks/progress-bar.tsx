interface ProgressBarProps {
  /** The accessible name. */
  readonly label: string
  /** From 0 to 1; null if indeterminate. */
  readonly value: number | null
}

/** Progress of an operation. */
export function ProgressBar({ label, value }: ProgressBarProps) {
  return (
    <span className="relative block h-1.5 w-full overflow-hidden rounded-full bg-pressed forced-colors:border">
      <progress
        aria-label={label}
        max={1}
        value={value ?? undefined}
        className="absolute inset-0 size-full opacity-0"
      />
      <span
        aria-hidden="true"
        className={
          value === null
            ? 'block size-full animate-pulse bg-accent opacity-60 forced-colors:bg-[Highlight]'
            : 'block h-full rounded-full bg-accent transition-[width] duration-(--motion-in) forced-colors:bg-[Highlight]'
        }
        style={value === null ? undefined : { width: `${value * 100}%` }}
      />
    </span>
  )
}
