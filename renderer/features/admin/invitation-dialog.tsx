import { useTranslation } from 'react-i18next'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { chatPath } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'

export interface Invited {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** A note that other computers cannot reach the address yet; nothing where they can. */
export function OnlyHere() {
  const { t } = useTranslation()
  if (!isAtGateway()) return null
  return (
    <p className="text-small text-muted">
      {t('admin.users.onlyHere')} <PageLink page="sharing" />
    </p>
  )
}

interface InvitationDialogProps {
  readonly invited: Invited
  readonly onClose: () => void
}

/** The message for a person with a new account, as the gateway sends no email. */
export function InvitationDialog({ invited, onClose }: InvitationDialogProps) {
  const { t } = useTranslation()
  const { name, email, password } = invited
  const address = location.origin + chatPath(null)
  const text = [
    t('admin.users.invitation', { name, gateway: t('common.productName') }),
    t('admin.users.invitationSignIn', { address }),
    t('admin.users.invitationEmail', { email }),
    t('admin.users.invitationPassword', { password }),
  ].join('\n')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('admin.users.invitedTitle', { name })}
      description={t('admin.users.invitedText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.done')}</Button>
          <CopyButton text={text} label={t('admin.users.copyInvitation')} tone="primary" />
        </>
      }
    >
      <p
        dir="auto"
        className="mb-3 rounded-medium border border-line bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere"
      >
        {text}
      </p>
      <OnlyHere />
    </Dialog>
  )
}
