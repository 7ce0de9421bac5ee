import { KeyRound } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { OAuthSessionInfo } from '#contract/oauth.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge, formatMoment } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { selectProviders } from './provider-links.tsx'
import type { SessionStore } from './session-store.ts'

/** Provider sign-ins whose tokens are stored for the user; hidden if there are none. */
export function ProviderSessionsSection({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const names = useStore(store, selectProviders)
  const [sessions, setSessions] = useState<readonly OAuthSessionInfo[]>([])
  const load = useCallback(async () => setSessions(await call(endpoints.oauth.sessions, {})), [])
  const loading = useAction(load)
  const { run } = loading
  useEffect(() => {
    void run()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page opens
  }, [])
  const ending = useAction(async (provider: string) => {
    await call(endpoints.oauth.endSessions, { params: { provider } })
    await load()
  })
  const problem = loading.problem ?? ending.problem
  if (sessions.length === 0 && problem === null) return null
  const providers = [...new Set(sessions.map(({ provider }) => provider))]
  return (
    <PageSection
      title={t('settings.account.providers.title')}
      text={t('settings.account.providers.text')}
    >
      <FormProblem text={problem} />
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {providers.map((provider) => {
          const own = sessions.filter((session) => session.provider === provider)
          const [newest] = own
          const name = names[provider] ?? provider
          return (
            <li key={provider} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
              <KeyRound className="size-4 shrink-0 text-muted" />
              <div className="min-w-0 flex-1 basis-40">
                <bdi>{name}</bdi>
                <p className="text-small text-muted">
                  {t('settings.account.providers.kept', {
                    count: own.length,
                    age: formatAge(newest!.created_at),
                  })}
                  {newest!.expires_at !== null &&
                    !newest!.is_renewable &&
                    ` · ${t('settings.account.providers.until', { moment: formatMoment(newest!.expires_at) })}`}
                </p>
              </div>
              <Button
                busy={ending.busy}
                aria-label={t('settings.account.providers.forgetNamed', { name })}
                onClick={() => void ending.run(provider)}
              >
                {t('settings.account.providers.forget')}
              </Button>
            </li>
          )
        })}
      </ul>
    </PageSection>
  )
}
