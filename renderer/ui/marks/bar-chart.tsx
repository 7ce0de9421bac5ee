import { useId } from 'react'
import { useTranslation } from 'react-i18next'

const WIDTH = 600
const HEIGHT = 72
const GAP = 2
const WIDEST = 28

export interface Bar {
  readonly key: string | number
  readonly value: number
  /** Hatched part of the value, which is distinguishable without its colour. */
  readonly hatched?: number
}

interface BarChartProps {
  readonly title: string
  /** Text alternative of the chart. */
  readonly summary: string
  readonly bars: readonly Bar[]
  /** Times of the first and the last bar. */
  readonly span: { readonly from: string; readonly to: string }
}

/**
 * Bar chart of a series of values, labelled with the highest; an adjacent table lists all of them.
 */
export function BarChart({ title, summary, bars, span }: BarChartProps) {
  const { t } = useTranslation()
  const id = useId()
  const highest = Math.max(0, ...bars.map(({ value }) => value))
  const most = Math.max(1, highest)
  const step = WIDTH / bars.length
  const place = (index: number, value: number) => ({
    x: index * step + GAP / 2,
    y: HEIGHT - (value / most) * HEIGHT,
    width: Math.max(1, Math.min(step - GAP, WIDEST)),
    height: (value / most) * HEIGHT,
  })
  return (
    <figure className="min-w-0 flex-1 basis-64">
      <figcaption className="mb-1 flex justify-between gap-2 text-small text-muted">
        <span>{title}</span>
        <span className="tabular-nums">
          {t('common.atMost', { value: highest.toLocaleString() })}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a picture drawn inline has no URL
        role="img"
        aria-label={summary}
        className="h-18 w-full border-b border-edge rtl:-scale-x-100"
      >
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" className="fill-danger-soft" />
          <path d="M0 6 6 0" className="stroke-danger" strokeWidth="2" />
        </pattern>
        {bars.map(({ key, value, hatched = 0 }, index) => (
          <g key={key}>
            <rect {...place(index, value)} className="fill-accent" />
            {hatched > 0 && <rect {...place(index, hatched)} fill={`url(#${id})`} />}
          </g>
        ))}
      </svg>
      <p className="mt-1 flex justify-between text-small text-muted tabular-nums">
        <span>{span.from}</span>
        <span>{span.to}</span>
      </p>
    </figure>
  )
}
