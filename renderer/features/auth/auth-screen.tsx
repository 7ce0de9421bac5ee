import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { chatPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Logo } from '../../ui/marks/logo.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import {
  enterWithoutForm,
  isByProxy,
  loadSession,
  signOut,
  type SessionStore,
} from './session-store.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

interface GateProps {
  readonly title: string
  readonly text?: ReactNode
  readonly footer: ReactNode
  readonly children: ReactNode
}

interface ScreenProps {
  readonly store: SessionStore
  /** Content below the form, such as the language selection. */
  readonly footer?: ReactNode
}

/** The page before sign-in: logo, one sentence, one action. */
function Gate({ title, text, footer, children }: GateProps) {
  return (
    <main className="flex min-h-full flex-col items-center overflow-y-auto bg-sidebar px-4 py-8">
      <div className="m-auto w-full max-w-sm animate-appear">
        <div className="mb-7 flex flex-col items-center text-center">
          <Logo className="mb-5 size-11" />
          <h1 className="text-head-2 font-semibold tracking-[-0.01em] text-balance">{title}</h1>
          {text && <p className="mt-1.5 text-ui text-pretty text-muted">{text}</p>}
        </div>
        <div className="rounded-large border border-line bg-raised p-6 shadow-low">{children}</div>
        <div className="mt-4 flex justify-center empty:hidden">{footer}</div>
      </div>
    </main>
  )
}

/** Shown if no sign-in is needed: after signing out, or when the gateway rejects this machine. */
function OpenScreen({ store, footer }: ScreenProps) {
  const { t } = useTranslation()
  const name = useStore(store, (state) => state.config?.name) ?? t('common.productName')
  const problem = useStore(store, (state) => state.problem)
  return (
    <Gate
      title={t('auth.openTitle', { name })}
      text={problem ? null : t('auth.openText')}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <Button
          tone="primary"
          className="h-primary w-full"
          onClick={() => void enterWithoutForm(store)}
        >
          {problem ? t('auth.openRetry') : t('auth.openEnter')}
        </Button>
      </div>
    </Gate>
  )
}

/**
 * Asks for the setup code in the log, before the first account of a gateway whose proxy signs users
 * in.
 */
function SetupCodeForm({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const { busy, handleSubmit } = useAction(() => enterWithoutForm(store, code.trim()))
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <TextField
        label={t('auth.setupCode')}
        hint={t('auth.setupCodeHint')}
        autoComplete="off"
        required
        maxLength={100}
        value={code}
        onChange={setCode}
      />
      <Button tone="primary" type="submit" busy={busy} className="h-primary w-full">
        {t('auth.createAccount')}
      </Button>
    </form>
  )
}

/** Shown if a proxy signs users in: after signing out, and while the proxy sends no user. */
function ProxyScreen({ store, footer }: ScreenProps) {
  const { t } = useTranslation()
  const name = useStore(store, (state) => state.config?.name) ?? t('common.productName')
  const problem = useStore(store, (state) => state.problem)
  const needsCode = useStore(store, (state) => state.config?.needs_setup_code === true)
  return (
    <Gate
      title={needsCode ? t('auth.welcome', { name }) : t('auth.signInTitle', { name })}
      text={needsCode || problem ? null : t('auth.signedOut')}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        {needsCode ? (
          <SetupCodeForm store={store} />
        ) : (
          // Reloads the whole page, so that a proxy without a session shows its own sign-in.
          <Button
            tone="primary"
            className="h-primary w-full"
            onClick={() => location.assign(chatPath(null))}
          >
            {problem ? t('auth.openRetry') : t('auth.signInAgain')}
          </Button>
        )}
      </div>
    </Gate>
  )
}

/** Sign-in, and sign-up if the gateway permits it. */
export function AuthScreen(props: ScreenProps) {
  const { store } = props
  const open = useStore(store, (state) => state.config?.features.auth === false)
  const byProxy = useStore(store, isByProxy)
  if (byProxy) return <ProxyScreen {...props} />
  return open ? <OpenScreen {...props} /> : <AccountGate {...props} />
}

function AccountGate({ store, footer }: ScreenProps) {
  const { t } = useTranslation()
  const config = useStore(store, (state) => state.config)
  const first = config?.onboarding === true
  const mayCreate =
    first ||
    (config?.features.enable_signup === true && config.features.enable_login_form !== false)
  const [creating, setCreating] = useState(first)
  const name = config?.name ?? t('common.productName')
  return (
    <div className="h-full overflow-y-auto">
      <Gate
        title={
          creating
            ? first
              ? t('auth.welcome', { name })
              : t('auth.createTitle')
            : t('auth.signInTitle', { name })
        }
        text={first ? t('auth.welcomeText') : null}
        footer={footer}
      >
        {creating ? <SignUpForm store={store} first={first} /> : <SignInForm store={store} />}
        {mayCreate && !first && (
          <p className="mt-4 text-center text-small text-muted">
            {creating ? t('auth.haveAccount') : t('auth.noAccount')}{' '}
            <button
              type="button"
              className="min-h-6 font-medium text-accent hover:underline"
              onClick={() => setCreating(!creating)}
            >
              {creating ? t('auth.signInInstead') : t('auth.signUpInstead')}
            </button>
          </p>
        )}
      </Gate>
    </div>
  )
}

/** Returns the contact for approval, if the gateway provides one. */
function useContact(): string | null {
  const [contact, setContact] = useState<string | null>(null)
  useEffect(() => {
    call(endpoints.auths.adminDetails, {}).then(
      ({ name, email }) => setContact(name && email ? `${name} (${email})` : name || email),
      () => setContact(null),
    )
  }, [])
  return contact
}

/** Shown while an account awaits approval, with a text administrators can customise. */
export function PendingScreen({ store, footer }: ScreenProps) {
  const { t } = useTranslation()
  const written = useStore(store, (state) => state.config?.ui)
  const contact = useContact()
  const content = written?.pending_user_overlay_content
  return (
    <Gate
      title={written?.pending_user_overlay_title || t('auth.pendingTitle')}
      text={!content && t('auth.pendingText')}
      footer={footer}
    >
      <div className="flex flex-col gap-2">
        {content && (
          <div className="mb-3">
            <Markdown text={content} />
          </div>
        )}
        {contact && (
          <p className="mb-2 text-center text-small text-muted">
            {t('auth.askAdmin')} <bdi className="font-medium text-ink">{contact}</bdi>
          </p>
        )}
        <Button tone="primary" className="h-primary" onClick={() => void loadSession(store)}>
          {t('auth.checkAgain')}
        </Button>
        <Button tone="quiet" onClick={() => void signOut(store)}>
          {t('auth.signOut')}
        </Button>
      </div>
    </Gate>
  )
}

/** Shown if the gateway did not respond at startup. */
export function UnreachableScreen({ store, footer }: ScreenProps) {
  const { t } = useTranslation()
  const problem = useStore(store, (state) => state.problem)
  return (
    <Gate title={t('auth.unreachableTitle')} text={problem} footer={footer}>
      <Button tone="primary" className="h-primary w-full" onClick={() => void loadSession(store)}>
        {t('common.retry')}
      </Button>
    </Gate>
  )
}
