import { useTranslation } from 'react-i18next'
import type { RequestRecord } from '#contract/requests.ts'
import { formatClock, formatDuration, shortenPath, splitPath } from './format-call.ts'
import { StatusBadge } from './status-badge.tsx'

const callerOf = ({ key_name: key, user, program }: RequestRecord): string =>
  [key ?? user?.name, program].filter(Boolean).join(' · ')

/** Returns the cost of a call as text; null if unknown. */
export type CostOf = (record: RequestRecord) => string | null

interface RowProps {
  readonly record: RequestRecord
  readonly cost: string | null
  /** False while no call in the table has tokens or a cost. */
  readonly hasUsage: boolean
  readonly onOpen: () => void
}

function Row({ record, cost, hasUsage, onOpen }: RowProps) {
  const { t } = useTranslation()
  const { usage, stream, first_byte_milliseconds: first } = record
  const [beginning, end] = splitPath(shortenPath(record.path))
  return (
    <tr className="relative border-t border-line hover:bg-hover">
      <td
        data-exempt
        className="py-2 ps-4 pe-2 align-top text-small whitespace-nowrap text-muted tabular-nums max-sm:hidden"
      >
        {formatClock(record.time)}
      </td>
      <th scope="row" className="w-full max-w-0 px-2 py-2 text-start font-normal max-sm:ps-4">
        <bdi className="block truncate font-medium">
          {callerOf(record) || t('admin.requests.nobody')}
          {record.model && <span className="font-normal text-muted"> · {record.model}</span>}
        </bdi>
        <button
          type="button"
          title={record.path}
          aria-label={`${record.method} ${record.path}`}
          onClick={onOpen}
          className="block max-w-full min-w-0 rounded-small text-start text-muted after:absolute after:inset-0"
        >
          <code className="flex text-code whitespace-pre" dir="ltr">
            <span className="shrink-0">{record.method} </span>
            <span className="min-w-0 overflow-hidden text-ellipsis">{beginning}</span>
            <span className="shrink-0">{end}</span>
          </code>
        </button>
        {record.error && (
          <bdi className="block truncate text-small text-danger">{record.error}</bdi>
        )}
      </th>
      <td className="px-2 py-2 align-top">
        <StatusBadge status={record.status} provider={record.provider_status} />
      </td>
      {hasUsage && (
        <td
          data-exempt
          className="px-2 py-2 text-end align-top text-small whitespace-nowrap text-muted tabular-nums max-sm:hidden"
        >
          {usage &&
            t('admin.requests.tokenCounts', {
              prompt: usage.prompt_tokens ?? '–',
              completion: usage.completion_tokens ?? '–',
            })}
          {cost !== null && <span className="block">{cost}</span>}
        </td>
      )}
      <td
        data-exempt
        className="py-2 ps-2 pe-4 text-end align-top text-small whitespace-nowrap text-muted tabular-nums"
      >
        {formatDuration(record.milliseconds)}
        <span className="block sm:hidden">{formatClock(record.time)}</span>
        {stream && first !== null && (
          <span className="block max-sm:hidden">
            {t('admin.requests.began', { duration: formatDuration(first) })}
          </span>
        )}
      </td>
    </tr>
  )
}

/** Calls in rows, newest first; each opens its details. */
export function RequestTable({
  records,
  costOf,
  onOpen,
}: {
  records: readonly RequestRecord[]
  costOf: CostOf
  onOpen: (record: RequestRecord) => void
}) {
  const { t } = useTranslation()
  const rows = records.map((record) => ({ record, cost: costOf(record) }))
  const hasUsage = rows.some(({ record, cost }) => record.usage !== null || cost !== null)
  const head = 'px-2 py-2 text-start text-small font-normal text-muted whitespace-nowrap'
  return (
    <div className="overflow-hidden rounded-large border border-line bg-raised">
      <table className="w-full border-collapse">
        <caption className="sr-only">{t('settings.pages.requests')}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${head} ps-4 max-sm:hidden`}>
              {t('admin.requests.time')}
            </th>
            <th scope="col" className={`${head} max-sm:ps-4`}>
              {t('admin.requests.call')}
            </th>
            <th scope="col" className={head}>
              {t('admin.requests.status')}
            </th>
            {hasUsage && (
              <th scope="col" className={`${head} text-end! max-sm:hidden`}>
                {t('admin.requests.tokensAndCost')}
              </th>
            )}
            <th scope="col" className={`${head} pe-4 text-end!`}>
              {t('admin.requests.took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ record, cost }) => (
            <Row
              key={record.seq}
              record={record}
              cost={cost}
              hasUsage={hasUsage}
              onOpen={() => onOpen(record)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
