import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { loadSession, type SessionStore } from './session-store.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Asks to sign in again over the page, so that unsaved text is kept. */
export function SessionExpiredDialog({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const expired = useStore(store, (state) => state.status === 'expired')
  const email = useStore(store, (state) => state.user?.email)
  return (
    <Dialog
      open={expired}
      onClose={() => void loadSession(store)}
      title={t('auth.expiredTitle')}
      description={t('auth.expiredText')}
    >
      <SignInForm store={store} email={email} />
    </Dialog>
  )
}
