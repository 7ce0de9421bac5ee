import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnalyticsCost } from '#contract/analytics.ts'
import { formatCosts, formatCount, formatShare } from './format-usage.ts'

/** A group of answers and its usage. */
export interface UsageRow {
  readonly key: string
  readonly name: ReactNode
  readonly count: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly costs: readonly AnalyticsCost[]
}

interface UsageTableProps {
  readonly caption: string
  /** Heading of the first column. */
  readonly head: string
  readonly rows: readonly UsageRow[]
  /** Total number of answers, used for each row's percentage; without it none is shown. */
  readonly whole?: number
}

const HEAD = 'px-2 py-2 text-start font-normal whitespace-nowrap text-muted lg:px-3'
const CELL = 'px-2 py-2 whitespace-nowrap lg:px-3'

function Part({ count, whole }: { count: number; whole: number }) {
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className="h-2 w-16 shrink-0 max-lg:hidden overflow-hidden rounded-small border border-edge"
      >
        <span
          className="block h-full bg-accent forced-colors:bg-[CanvasText]"
          style={{ width: `${whole === 0 ? 0 : (count / whole) * 100}%` }}
        />
      </span>
      {formatShare(count, whole)}
    </span>
  )
}

/** Usage by day, model or user. */
export function UsageTable({ caption, head, rows, whole }: UsageTableProps) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      data-wide=""
      className="overflow-x-auto rounded-large border border-line bg-raised"
    >
      <table className="w-full text-small tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              {head}
            </th>
            <th scope="col" className={HEAD}>
              {t('analytics.answers')}
            </th>
            {whole !== undefined && (
              <th scope="col" className={HEAD}>
                {t('analytics.share')}
              </th>
            )}
            <th scope="col" className={HEAD}>
              {t('analytics.inputTokens')}
            </th>
            <th scope="col" className={HEAD}>
              {t('analytics.outputTokens')}
            </th>
            <th scope="col" className={HEAD}>
              {t('analytics.cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-t border-line">
              <th
                scope="row"
                className="max-w-64 px-2 py-2 text-start font-normal wrap-anywhere lg:px-3"
              >
                {row.name}
              </th>
              <td className={CELL}>{formatCount(row.count)}</td>
              {whole !== undefined && (
                <td className={CELL}>
                  <Part count={row.count} whole={whole} />
                </td>
              )}
              <td className={CELL}>{formatCount(row.input_tokens)}</td>
              <td className={CELL}>{formatCount(row.output_tokens)}</td>
              <td className={CELL}>{formatCosts(row.costs) ?? t('analytics.noCost')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
