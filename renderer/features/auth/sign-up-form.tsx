import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/controls/button.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { signUp, type SessionStore } from './session-store.ts'

const SHORTEST = 8

/** Registration form. `first` is true if the account will be the administrator's. */
export function SignUpForm({ store, first }: { store: SessionStore; first: boolean }) {
  const { t } = useTranslation()
  const [form, setForm] = useState({ name: '', email: '', password: '', setup_code: '' })
  const needsCode = useStore(store, (state) => state.config?.needs_setup_code === true)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = fieldsOf(form, (values) => setForm({ ...form, ...values }))

  async function submit(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const { setup_code: code, ...account } = form
      await signUp(store, needsCode ? { ...account, setup_code: code.trim() } : account)
    } catch (thrown) {
      setProblem(toSentence(thrown))
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <TextField
        label={t('auth.name')}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        {...field('name')}
      />
      <TextField
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        {...field('email')}
      />
      <SecretField
        label={t('auth.password')}
        hint={t('auth.passwordHint', { count: SHORTEST })}
        name="password"
        autoComplete="new-password"
        required
        minLength={SHORTEST}
        {...field('password')}
      />
      {needsCode && (
        <TextField
          label={t('auth.setupCode')}
          hint={t('auth.setupCodeHint')}
          name="setup-code"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          maxLength={100}
          {...field('setup_code')}
        />
      )}
      <Button tone="primary" type="submit" busy={busy} className="h-primary mt-1 w-full">
        {t('auth.createAccount')}
      </Button>
      {first && <p className="text-center text-small text-muted">{t('auth.firstAccount')}</p>}
    </form>
  )
}
