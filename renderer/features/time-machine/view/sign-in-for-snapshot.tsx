import '../strings.ts'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { presentPath } from '../../../lib/viewed-snapshot.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'

/** Asks a user who opens a snapshot without a session to sign in at the present gateway. */
export function SignInForSnapshot() {
  const { t } = useTranslation()
  return (
    <main className="grid h-full place-items-center">
      <EmptyState
        icon={<History />}
        title={t('timeMachine.view.signIn')}
        action={
          <ButtonLink tone="primary" href={presentPath('/')}>
            {t('timeMachine.view.toSignIn')}
          </ButtonLink>
        }
      >
        {t('timeMachine.view.signInText')}
      </EmptyState>
    </main>
  )
}
