import { LogIn } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { isFormAsked } from './is-form-asked.ts'
import { providerSignInUrl, readProviderProblem } from './provider-session.ts'
import type { SessionState, SessionStore } from './session-store.ts'

const NONE: Readonly<Record<string, string>> = {}

/** Selects the names of the sign-in providers, by id. */
export const selectProviders = (state: SessionState): Readonly<Record<string, string>> =>
  state.config?.oauth.providers ?? NONE

/** Redirects to the only provider, unless the user was just sent back or has just signed out. */
function useAutomaticSignIn(store: SessionStore): void {
  const [provider] = Object.keys(useStore(store, selectProviders))
  const isWanted = useStore(
    store,
    ({ config, status, hasLeft, problem }) =>
      config?.oauth.auto_redirect === true &&
      status === 'signed-out' &&
      !hasLeft &&
      problem === null,
  )
  useEffect(() => {
    if (isWanted && provider !== undefined && readProviderProblem() === null && !isFormAsked())
      location.replace(providerSignInUrl(provider))
  }, [isWanted, provider])
}

interface ProviderLinksProps {
  readonly store: SessionStore
  /** True if another sign-in method is shown below. */
  readonly hasOthers: boolean
}

/** Buttons of the sign-in providers. */
export function ProviderLinks({ store, hasOthers }: ProviderLinksProps) {
  const { t } = useTranslation()
  const providers = Object.entries(useStore(store, selectProviders))
  const problem = useStore(store, (state) => state.problem) ?? readProviderProblem()
  useAutomaticSignIn(store)
  if (providers.length === 0 && problem === null) return null
  return (
    <div className="flex flex-col gap-3 not-last:mb-5">
      <FormProblem text={problem} />
      {providers.map(([id, name]) => (
        <ButtonLink
          key={id}
          href={providerSignInUrl(id)}
          tone={hasOthers ? 'secondary' : 'primary'}
          icon={<LogIn className="size-4 rtl:-scale-x-100" />}
          className="min-h-10 w-full"
        >
          <bdi className="min-w-0 truncate">{t('auth.withProvider', { name })}</bdi>
        </ButtonLink>
      ))}
      {hasOthers && providers.length > 0 && (
        <p className="mt-2 flex items-center gap-3 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t('auth.or')}
        </p>
      )}
    </div>
  )
}
