import { useTranslation } from 'react-i18next'
import type { DayUsage } from '#contract/analytics.ts'
import { BarChart } from '../../ui/marks/bar-chart.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { formatCount, formatTime } from './format-usage.ts'
import { UsageTable } from './usage-table.tsx'

const answersOf = ({ models }: DayUsage): number =>
  Object.values(models).reduce((sum, count) => sum + count, 0)

/** Answers and tokens by day or hour, as charts and a table. */
export function UsageOverTime({ times }: { times: readonly DayUsage[] }) {
  const { t } = useTranslation()
  const [first, last] = [times[0], times.at(-1)]
  if (!first || !last) return null
  const span = { from: formatTime(first.date), to: formatTime(last.date) }
  const describe = (valueOf: (time: DayUsage) => number) => ({
    ...span,
    count: times.reduce((sum, time) => sum + valueOf(time), 0),
    most: formatCount(Math.max(...times.map(valueOf))),
  })
  const toBars = (valueOf: (time: DayUsage) => number) =>
    times.map((time) => ({ key: time.date, value: valueOf(time) }))
  const tokensOf = ({ total_tokens: tokens }: DayUsage): number => tokens
  return (
    <div className="rounded-large border border-line bg-raised px-4 py-3">
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <BarChart
          span={span}
          title={t('analytics.answers')}
          summary={t('analytics.answersSummary', describe(answersOf))}
          bars={toBars(answersOf)}
        />
        <BarChart
          span={span}
          title={t('analytics.tokens')}
          summary={t('analytics.tokensSummary', describe(tokensOf))}
          bars={toBars(tokensOf)}
        />
      </div>
      <FoldOut title={t('analytics.asTable')}>
        <div className="mt-2">
          <UsageTable
            caption={t('analytics.overTime')}
            head={t('analytics.time')}
            rows={times
              .filter((time) => answersOf(time) > 0)
              .map((time) => ({
                ...time,
                key: time.date,
                name: formatTime(time.date),
                count: answersOf(time),
              }))}
          />
        </div>
      </FoldOut>
    </div>
  )
}
