import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { type InviteAddress, useInviteAddress } from './use-invite-address.ts'

export interface Invited {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** A note on an invitation that other computers cannot open the gateway yet, or will be warned. */
export function OnlyHere({ reach }: Pick<InviteAddress, 'reach'>) {
  const { t } = useTranslation()
  if (reach === 'network')
    return (
      <p className="text-small text-pretty text-muted">
        {t('admin.users.inNetwork')} <PageLink page="sharing" />
      </p>
    )
  if (reach !== 'here') return null
  return (
    <div className="flex items-start gap-2.5 rounded-medium bg-warning-soft px-3 py-2.5 text-ui">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <p className="text-pretty">
        {t('admin.users.onlyHere')} <PageLink page="sharing" />
        <br />
        <span className="text-small text-muted">
          {t('admin.users.onlyHereDomain', { setting: 'WEBUI_URL' })}
        </span>
      </p>
    </div>
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
  const { address, reach } = useInviteAddress()
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
      <OnlyHere reach={reach} />
    </Dialog>
  )
}
