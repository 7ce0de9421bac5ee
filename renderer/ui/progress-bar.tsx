interface ProgressBarProps {
  /** The accessible name. */
  readonly label: string
  /** From 0 to 1; null while it cannot be told. */
  readonly value: number | null
}

/** How far something has come. */
export function ProgressBar({ label, value }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : Math.round(value * 100)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-pressed forced-colors:border"
    >
      <div
        className={
          value === null
            ? 'h-full w-full animate-pulse bg-accent opacity-60 forced-colors:bg-[Highlight]'
            : 'h-full rounded-full bg-accent transition-[width] duration-200 forced-colors:bg-[Highlight]'
        }
        style={value === null ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  )
}
