import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { SaveButton } from '../../ui/controls/save-button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { changePassword, renameUser, signOut, type SessionStore } from './session-store.ts'
import { ProviderSessionsSection } from './provider-sessions-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

function ProfileForm({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const user = useStore(store, (state) => state.user)
  const [name, setName] = useState(user?.name ?? '')
  const { busy, problem, handleSubmit } = useAction(async () => {
    await renameUser(store, name.trim())
    toast({ text: t('common.saved') })
  })
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <TextField
        label={t('auth.name')}
        required
        maxLength={200}
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      <TextField
        label={t('auth.email')}
        readOnly
        value={user?.email ?? ''}
        className="bg-sunken text-muted"
      />
      <SaveButton busy={busy} disabled={!name.trim() || name.trim() === user?.name}>
        {t('common.save')}
      </SaveButton>
    </form>
  )
}

function PasswordForm({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const [form, setForm] = useState({ password: '', new_password: '' })
  const { busy, problem, handleSubmit } = useAction(async () => {
    await changePassword(store, form)
    setForm({ password: '', new_password: '' })
    toast({ text: t('settings.account.passwordChanged') })
  })
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <SecretField
        label={t('settings.account.currentPassword')}
        autoComplete="current-password"
        required
        value={form.password}
        onChange={(password) => setForm({ ...form, password })}
      />
      <SecretField
        label={t('settings.account.newPassword')}
        autoComplete="new-password"
        required
        minLength={8}
        value={form.new_password}
        onChange={(new_password) => setForm({ ...form, new_password })}
      />
      <Button type="submit" busy={busy} className="self-start">
        {t('settings.account.changePassword')}
      </Button>
    </form>
  )
}

/** Name, password and sign-out of the signed-in user. */
export function AccountPage({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const { busy, problem, handleSubmit } = useAction(() => signOut(store))
  const role = useStore(store, (state) => state.user?.role ?? 'user')
  const hasPassword = useStore(
    store,
    (state) => state.config?.features['enable_password_change_form'] !== false,
  )
  return (
    <>
      <PageSection
        title={t('settings.account.profile')}
        text={t('settings.account.profileText')}
        action={<Badge>{t(`settings.account.role.${role}`)}</Badge>}
      >
        <ProfileForm store={store} />
      </PageSection>
      {hasPassword && (
        <PageSection
          title={t('settings.account.password')}
          text={t('settings.account.passwordText')}
        >
          <PasswordForm store={store} />
        </PageSection>
      )}
      <SessionsSection />
      <ProviderSessionsSection store={store} />
      <PageSection title={t('auth.signOut')} text={t('settings.account.signOutText')}>
        <form onSubmit={handleSubmit} className="flex flex-col gap-3">
          <FormProblem text={problem} />
          <Button
            type="submit"
            busy={busy}
            icon={<LogOut className="size-4" />}
            className="self-start"
          >
            {t('auth.signOut')}
          </Button>
        </form>
      </PageSection>
    </>
  )
}
