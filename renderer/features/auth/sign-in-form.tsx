import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useAction } from '../../api/use-action.ts'
import { toPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { isFormAsked } from './is-form-asked.ts'
import { ProviderLinks, selectProviders } from './provider-links.tsx'
import { signIn, signInByDirectory, type SessionStore } from './session-store.ts'

interface WayProps {
  readonly store: SessionStore
  /** Email address, if already known. */
  readonly email: string
}

interface SignInFieldsProps {
  readonly onSubmit: (password: string) => Promise<void>
  /** Label of the button. */
  readonly action: string
  /** Hint for a forgotten password. */
  readonly forgotten: string
  /** Fields that identify the account. */
  readonly children: ReactNode
}

/** A sign-in form that ends with the password. */
function SignInFields({ onSubmit, action, forgotten, children }: SignInFieldsProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { busy, problem, handleSubmit } = useAction(() => onSubmit(password))
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      {children}
      <SecretField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <Button tone="primary" type="submit" busy={busy} className="h-primary mt-1 w-full">
        {action}
      </Button>
      <div className="-mb-2 text-small">
        <FoldOut title={t('auth.forgot')}>
          <p className="pb-2 text-pretty text-muted">{forgotten}</p>
        </FoldOut>
      </div>
    </form>
  )
}

/** Email and password of an account of this gateway. */
function EmailForm({ store, email: known }: WayProps) {
  const { t } = useTranslation()
  const [email, setEmail] = useState(known)
  return (
    <SignInFields
      action={t('auth.signIn')}
      forgotten={t('auth.forgotText')}
      onSubmit={(password) => signIn(store, { email, password })}
    >
      <TextField
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
      />
    </SignInFields>
  )
}

/** Name and password of an organisation's directory. */
function DirectoryForm({ store, label }: { store: SessionStore; label: string }) {
  const { t } = useTranslation()
  const [user, setUser] = useState('')
  const action = t('auth.withDirectory', { name: label })
  return (
    <SignInFields
      action={action}
      forgotten={t('auth.forgotDirectory', { name: label })}
      onSubmit={(password) => signInByDirectory(store, { user, password })}
    >
      <TextField
        label={t('auth.directoryName')}
        name="user"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        required
        maxLength={254}
        value={user}
        onChange={setUser}
      />
    </SignInFields>
  )
}

/** Shown if no sign-in method is offered: the form reserved for administrators. */
function HiddenForm() {
  const { t } = useTranslation()
  return (
    <p className="text-center text-ui text-pretty">
      {t('auth.hidden')}{' '}
      <a
        href={`${toPath({ name: 'auth' })}?form=true`}
        className="font-medium text-accent hover:underline"
      >
        {t('auth.showForm')}
      </a>
    </p>
  )
}

/** Name and password of the directory, or of this gateway for users with a local account. */
function DirectoryOrEmail({
  store,
  email,
  directory,
  hasEmail,
}: WayProps & { readonly directory: string; readonly hasEmail: boolean }) {
  const { t } = useTranslation()
  const [prefersEmail, setPrefersEmail] = useState(false)
  const isByEmail = hasEmail && prefersEmail
  return (
    <>
      {isByEmail ? (
        <EmailForm store={store} email={email} />
      ) : (
        <DirectoryForm store={store} label={directory} />
      )}
      {hasEmail && (
        <Button tone="quiet" className="mt-2 w-full" onClick={() => setPrefersEmail(!prefersEmail)}>
          {isByEmail ? t('auth.withDirectory', { name: directory }) : t('auth.withEmail')}
        </Button>
      )}
    </>
  )
}

/**
 * The sign-in methods the gateway offers: providers first, then the directory, as most users use
 * these.
 */
export function SignInForm({ store, email = '' }: { store: SessionStore; email?: string }) {
  const directory = useStore(store, (state) => state.config?.ldap?.label)
  const isShown = useStore(store, (state) => state.config?.features.enable_login_form !== false)
  const hasProviders = Object.keys(useStore(store, selectProviders)).length > 0
  const hasEmail = isShown || isFormAsked()
  return (
    <>
      <ProviderLinks store={store} hasOthers={hasEmail || directory !== undefined} />
      {directory !== undefined ? (
        <DirectoryOrEmail store={store} email={email} directory={directory} hasEmail={hasEmail} />
      ) : hasEmail ? (
        <EmailForm store={store} email={email} />
      ) : (
        !hasProviders && <HiddenForm />
      )}
    </>
  )
}
