import { Laptop } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SessionInfo } from '#contract/auths.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { formatAge } from '../../lib/format-time.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { nameDevice } from '../../lib/name-device.ts'

function SessionRow({ session, onEnd }: { session: SessionInfo; onEnd: () => void }) {
  const { t } = useTranslation()
  const name = nameDevice(session.user_agent) || t('settings.account.sessions.unknown')
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Laptop className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="min-w-0 truncate">{name}</bdi>
          {session.current && <Badge tone="accent">{t('settings.account.sessions.here')}</Badge>}
        </p>
        <p className="text-small text-muted">
          <bdi dir="ltr">{session.address}</bdi> ·{' '}
          {t('settings.account.sessions.used', { age: formatAge(session.last_used_at) })}
        </p>
      </div>
      {!session.current && (
        <Button aria-label={t('settings.account.sessions.endNamed', { name })} onClick={onEnd}>
          {t('settings.account.sessions.end')}
        </Button>
      )}
    </li>
  )
}

const listSessions = (): Promise<SessionInfo[]> => call(endpoints.auths.listSessions, {})

/** Sessions of this user; signing out of another one takes effect immediately. */
export function SessionsSection() {
  const { t } = useTranslation()
  const { value: sessions, problem: loadProblem, put } = useLoaded(listSessions, [])
  const one = useAction(async (id: string) => {
    await call(endpoints.auths.endSession, { params: { session_id: id } })
    put(await listSessions())
  })
  const others = useAction(async () => {
    const { ended } = await call(endpoints.auths.endOtherSessions, {})
    toast({ text: t('settings.account.sessions.ended', { count: ended }) })
    put(await listSessions())
  })
  const hasOthers = sessions?.some(({ current }) => !current) === true
  return (
    <PageSection
      title={t('settings.account.sessions.title')}
      text={t('settings.account.sessions.text')}
      action={
        hasOthers && (
          <Button busy={others.busy} onClick={() => void others.run()}>
            {t('settings.account.sessions.endOthers')}
          </Button>
        )
      }
    >
      <FormProblem text={loadProblem ?? one.problem ?? others.problem} />
      {sessions === null && !loadProblem && <PageWait shape="lines" />}
      {sessions !== null && (
        <ul className="divide-y divide-line rounded-large border border-line bg-raised">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void one.run(session.id)} />
          ))}
        </ul>
      )}
    </PageSection>
  )
}
