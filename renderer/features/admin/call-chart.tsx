import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestRecord } from '#contract/requests.ts'
import { FoldOut } from '../../ui/fold-out.tsx'
import { toBuckets, type CallBucket } from './call-buckets.ts'
import { formatClock } from './format-call.ts'

const WIDTH = 600
const HEIGHT = 72
const GAP = 2
/** Windows with room for the picture and the list. */
const ROOMY = '(min-width: 48rem)'

interface BarsProps {
  readonly title: string
  readonly summary: string
  readonly buckets: readonly CallBucket[]
  readonly valueOf: (bucket: CallBucket) => number
  /** A part of the value that is hatched, so that it is told apart without its colour. */
  readonly hatchedOf?: (bucket: CallBucket) => number
}

function Bars({ title, summary, buckets, valueOf, hatchedOf }: BarsProps) {
  const id = useId()
  const most = Math.max(1, ...buckets.map(valueOf))
  const step = WIDTH / buckets.length
  const bar = (index: number, value: number) => ({
    x: index * step + GAP / 2,
    y: HEIGHT - (value / most) * HEIGHT,
    width: Math.max(1, Math.min(step - GAP, 28)),
    height: (value / most) * HEIGHT,
  })
  return (
    <figure className="min-w-0 flex-1 basis-64">
      <figcaption className="mb-1 flex justify-between gap-2 text-small text-muted">
        <span>{title}</span>
        <span data-exempt className="tabular-nums">
          {most}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a picture drawn here has no address
        role="img"
        aria-label={summary}
        className="h-18 w-full border-b border-edge rtl:-scale-x-100"
      >
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" className="fill-danger-soft" />
          <path d="M0 6 6 0" className="stroke-danger" strokeWidth="2" />
        </pattern>
        {buckets.map((bucket, index) => (
          <g key={bucket.time}>
            <rect {...bar(index, valueOf(bucket))} className="fill-accent" />
            {hatchedOf && hatchedOf(bucket) > 0 && (
              <rect {...bar(index, hatchedOf(bucket))} fill={`url(#${id})`} />
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}

function Table({ buckets }: { buckets: readonly CallBucket[] }) {
  const { t } = useTranslation()
  const columns = ['time', 'calls', 'failed', 'tokens'] as const
  return (
    <table className="mt-2 w-full text-small tabular-nums">
      <caption className="sr-only">{t('admin.requests.chart.title')}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 text-start font-normal text-muted">
              {t(`admin.requests.chart.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody data-exempt>
        {buckets
          .filter(({ calls }) => calls > 0)
          .map(({ time, calls, failed, tokens }) => (
            <tr key={time} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {formatClock(time)}
              </th>
              <td>{calls}</td>
              <td>{failed}</td>
              <td>{tokens}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/**
 * Calls and tokens over time, as a picture and as a table; folded away where it would push the calls
 * themselves off the screen.
 */
export function CallChart({ records }: { records: readonly RequestRecord[] }) {
  const { t } = useTranslation()
  const buckets = useMemo(() => toBuckets(records), [records])
  if (buckets.length < 2) return null
  const sum = (valueOf: (bucket: CallBucket) => number): number =>
    buckets.reduce((total, bucket) => total + valueOf(bucket), 0)
  const span = { from: formatClock(buckets[0]!.time), to: formatClock(buckets.at(-1)!.time) }
  return (
    <section
      aria-label={t('admin.requests.chart.title')}
      className="mb-4 rounded-large border border-line bg-raised px-4 py-2"
    >
      <FoldOut title={t('admin.requests.chart.title')} isOpen={matchMedia(ROOMY).matches}>
        <div className="mt-1 flex flex-wrap gap-x-6 gap-y-3">
          <Bars
            title={t('admin.requests.chart.callsAndFailed')}
            summary={t('admin.requests.chart.callsSummary', {
              ...span,
              count: sum(({ calls }) => calls),
              failed: sum(({ failed }) => failed),
            })}
            buckets={buckets}
            valueOf={({ calls }) => calls}
            hatchedOf={({ failed }) => failed}
          />
          <Bars
            title={t('admin.requests.chart.tokens')}
            summary={t('admin.requests.chart.tokensSummary', {
              ...span,
              count: sum(({ tokens }) => tokens),
            })}
            buckets={buckets}
            valueOf={({ tokens }) => tokens}
          />
        </div>
        <p className="mt-1 flex justify-between text-small text-muted tabular-nums">
          <span>{span.from}</span>
          <span>{span.to}</span>
        </p>
        <FoldOut title={t('admin.requests.chart.asTable')}>
          <Table buckets={buckets} />
        </FoldOut>
      </FoldOut>
    </section>
  )
}
