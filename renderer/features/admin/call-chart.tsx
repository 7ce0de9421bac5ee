import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestRecord } from '#contract/requests.ts'
import { BarChart } from '../../ui/marks/bar-chart.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { spansMinutes, toBuckets, type CallBucket } from './call-buckets.ts'
import { formatClock } from './format-call.ts'

/** Media query of windows with space for the chart and the list. */
const ROOMY = '(min-width: 48rem)'

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
 * Calls and tokens over time, as a chart and a table, once there are calls of two minutes; collapsed
 * where it would push the calls off the screen.
 */
export function CallChart({ records }: { records: readonly RequestRecord[] }) {
  const { t } = useTranslation()
  const buckets = useMemo(() => toBuckets(records), [records])
  if (!spansMinutes(records)) return null
  const sum = (valueOf: (bucket: CallBucket) => number): number =>
    buckets.reduce((total, bucket) => total + valueOf(bucket), 0)
  const tokens = sum((bucket) => bucket.tokens)
  const span = { from: formatClock(buckets[0]!.time), to: formatClock(buckets.at(-1)!.time) }
  return (
    <section
      aria-label={t('admin.requests.chart.title')}
      className="mb-4 rounded-large border border-line bg-raised px-4 py-2"
    >
      <FoldOut title={t('admin.requests.chart.title')} isOpen={matchMedia(ROOMY).matches}>
        <div className="mt-1 flex flex-wrap gap-x-6 gap-y-3">
          <BarChart
            span={span}
            title={t('admin.requests.chart.callsAndFailed')}
            summary={t('admin.requests.chart.callsSummary', {
              ...span,
              count: sum(({ calls }) => calls),
              failed: sum(({ failed }) => failed),
            })}
            bars={buckets.map(({ time, calls, failed }) => ({
              key: time,
              value: calls,
              hatched: failed,
            }))}
          />
          {tokens > 0 && (
            <BarChart
              span={span}
              title={t('admin.requests.chart.tokens')}
              summary={t('admin.requests.chart.tokensSummary', { ...span, count: tokens })}
              bars={buckets.map((bucket) => ({ key: bucket.time, value: bucket.tokens }))}
            />
          )}
        </div>
        <FoldOut title={t('admin.requests.chart.asTable')}>
          <Table buckets={buckets} />
        </FoldOut>
      </FoldOut>
    </section>
  )
}
