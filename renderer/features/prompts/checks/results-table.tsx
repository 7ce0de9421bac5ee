import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CheckResult } from '#contract/prompt-checks.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatLocale } from '../../../lib/i18n.ts'
import { FoldOut } from '../../../ui/layout/fold-out.tsx'

function toMoney({ amount, currency }: NonNullable<CheckResult['cost']>): string {
  return new Intl.NumberFormat(formatLocale(), {
    style: 'currency',
    currency,
    maximumSignificantDigits: 2,
  }).format(amount)
}

/** An answer line by line; lines missing from the first answer are highlighted. */
function Answer({ text, first }: { text: string; first: string | null }) {
  const { t } = useTranslation()
  const known = first === null ? null : new Set(first.split('\n'))
  if (first !== null && first === text)
    return <p className="text-small text-muted">{t('promptChecks.sameAnswer')}</p>
  return (
    <FoldOut title={t('promptChecks.answer')}>
      <div dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {text.split('\n').map((line, place) => {
          const isOther = known !== null && !known.has(line)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other key than their index
            <div key={place} className={classNames(isOther && 'bg-accent-soft')}>
              {isOther && <span className="sr-only">{t('promptChecks.otherLine')}: </span>}
              {line || ' '}
            </div>
          )
        })}
      </div>
    </FoldOut>
  )
}

function Cell({ result, first }: { result: CheckResult; first: CheckResult | undefined }) {
  const { t } = useTranslation()
  const { isPassed, fault, outcomes, seconds, cost, answer } = result
  const Icon = isPassed ? CircleCheck : CircleX
  const reasons =
    fault === null ? outcomes.filter(({ isMet }) => !isMet).map(({ detail }) => detail) : [fault]
  return (
    <div className="flex flex-col gap-1.5">
      <p
        className={classNames(
          'flex flex-wrap items-center gap-x-2 font-medium',
          isPassed ? 'text-accent-strong dark:text-accent' : 'text-danger',
        )}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {isPassed ? t('promptChecks.passed') : t('promptChecks.failed')}
        <span className="font-normal text-muted">
          {t('promptChecks.seconds', { seconds: seconds.toFixed(1) })}
          {cost && ` · ${toMoney(cost)}`}
        </span>
      </p>
      {reasons.map((reason) => (
        <p key={reason} dir="auto" className="text-small text-muted wrap-anywhere">
          {reason}
        </p>
      ))}
      {fault === null && (
        <Answer text={answer} first={first && first !== result ? first.answer : null} />
      )}
    </div>
  )
}

interface ResultsTableProps {
  readonly results: readonly CheckResult[]
  readonly nameOf: (model: string) => string
  /** Returns the label of a version; null if there is only one. */
  readonly versionOf: ((version: string) => string) | null
}

/** The answers side by side: a row per check, a column per model and version. */
export function ResultsTable({ results, nameOf, versionOf }: ResultsTableProps) {
  const { t } = useTranslation()
  const columns = [
    ...new Map(
      results.map(({ model, version }) => [`${model} ${version}`, { model, version }]),
    ).values(),
  ].toSorted((a, b) => a.model.localeCompare(b.model) || a.version.localeCompare(b.version))
  const rows = [...new Set(results.map((result) => result.case))]
  const find = (row: string, { model, version }: { model: string; version: string }) =>
    results.find((one) => one.case === row && one.model === model && one.version === version)
  return (
    <section
      aria-label={t('promptChecks.results')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-medium border border-line"
    >
      <table className="w-full text-start">
        <thead>
          <tr className="border-b border-line text-small text-muted">
            <th scope="col" className="px-3 py-2 text-start font-medium">
              {t('promptChecks.check')}
            </th>
            {columns.map(({ model, version }) => (
              <th
                key={`${model} ${version}`}
                scope="col"
                className="min-w-56 px-3 py-2 text-start font-medium"
              >
                <bdi>{nameOf(model)}</bdi>
                {versionOf && (
                  <>
                    {' · '}
                    <bdi>{versionOf(version)}</bdi>
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} className="align-top not-first:border-t not-first:border-line">
              <th scope="row" className="px-3 py-2 text-start font-medium wrap-anywhere">
                {row}
              </th>
              {columns.map((column) => {
                const result = find(row, column)
                return (
                  <td key={`${column.model} ${column.version}`} className="px-3 py-2">
                    {result && <Cell result={result} first={find(row, columns[0]!)} />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
