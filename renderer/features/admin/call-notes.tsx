import { useTranslation } from 'react-i18next'
import type { RequestDetail } from '#contract/requests.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { CodeBox } from './code-box.tsx'
import { formatDuration, prettyJson } from './format-call.ts'
import { StatusBadge } from './status-badge.tsx'

type Attempt = RequestDetail['attempts'][number]

function AttemptView({ attempt, place }: { attempt: Attempt; place: number }) {
  const { t } = useTranslation()
  const { connection, path, status, error, milliseconds, request_body: body } = attempt
  return (
    <li className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2">
        {status === null ? (
          <Badge tone="danger">{t('admin.requests.noAnswer')}</Badge>
        ) : (
          <StatusBadge status={status} />
        )}
        <bdi className="min-w-0 wrap-anywhere">{connection}</bdi>
        <code className="min-w-0 text-small wrap-anywhere text-muted">{path}</code>
        <span className="text-small text-muted">{formatDuration(milliseconds)}</span>
        {error && <code className="text-small text-danger">{error}</code>}
      </p>
      {body !== null && (
        <CodeBox
          label={t('admin.requests.attemptBody', { number: place + 1, connection })}
          text={prettyJson(body)}
        />
      )}
    </li>
  )
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const { t } = useTranslation()
  if (attempts.length === 0) return null
  return (
    <section aria-label={t('admin.requests.attempts')}>
      <h3 className="text-small text-muted">{t('admin.requests.attempts')}</h3>
      <ol className="mt-1 flex flex-col gap-3">
        {attempts.map((attempt, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- tries have no other key, and are never added or moved
          <AttemptView key={place} attempt={attempt} place={place} />
        ))}
      </ol>
    </section>
  )
}

/**
 * Processing of a call on its way to models: the attempts, and the fields that were translated or
 * left out.
 */
export function CallNotes({ detail }: { detail: RequestDetail }) {
  const { t } = useTranslation()
  const { attempts, translated_fields: translated, ignored_fields: ignored } = detail
  return (
    <>
      {ignored.length > 0 && (
        <section aria-label={t('admin.requests.ignoredFields')}>
          <h3 className="text-small text-muted">{t('admin.requests.ignoredFields')}</h3>
          <ul className="mt-1 flex flex-col gap-1">
            {ignored.map(({ field, reason }) => (
              <li key={field} className="wrap-anywhere">
                <code>{field}</code>{' '}
                <span className="text-small text-muted">
                  {t(`admin.requests.ignoredReasons.${reason}`)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {translated.length > 0 && (
        <section aria-label={t('admin.requests.translatedFields')}>
          <h3 className="text-small text-muted">{t('admin.requests.translatedFields')}</h3>
          <p className="mt-1 wrap-anywhere">
            <code>{translated.join(', ')}</code>
          </p>
        </section>
      )}
      <Attempts attempts={attempts} />
    </>
  )
}
