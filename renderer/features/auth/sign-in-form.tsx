import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { SecretField, TextField } from '../../ui/text-field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { signIn, type SessionStore } from './session-store.ts'

/** E-mail and password. `email` fills in what is known already. */
export function SignInForm({ store, email: known = '' }: { store: SessionStore; email?: string }) {
  const { t } = useTranslation()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      await signIn(store, { email, password })
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
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SecretField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button tone="primary" type="submit" busy={busy} className="mt-1 w-full">
        {t('auth.signIn')}
      </Button>
    </form>
  )
}
