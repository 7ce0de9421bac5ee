import { TabletSmartphone, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { useInviteAddress } from './use-invite-address.ts'

export interface Invited {
  readonly name: string
  readonly email: string
  readonly password: string
}

type Inviting = ReturnType<typeof useInviteAddress>

/**
 * A note that other computers cannot open the gateway yet, with what letting them in means, or that
 * they will be warned once.
 */
function ReachNote({ reach, letIn }: Pick<Inviting, 'reach' | 'letIn'>) {
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
      <div className="min-w-0">
        <p className="text-pretty">{t('admin.users.onlyHere')}</p>
        <p className="mt-1 text-small text-pretty text-muted">{t('admin.users.letInHint')}</p>
        <FormProblem text={letIn?.problem ?? null} />
        <FoldOut title={t('admin.users.behindProxy')}>
          <p className="text-small text-pretty text-muted">
            {t('admin.users.onlyHereDomain', { setting: 'WEBUI_URL' })}
          </p>
        </FoldOut>
      </div>
    </div>
  )
}

interface MessageProps {
  readonly text: string
  /** True if the message works on the gateway's computer only, so that copying it comes second. */
  readonly isForHere: boolean
}

function Message({ text, isForHere }: MessageProps) {
  const { t } = useTranslation()
  return (
    <div className="mb-3 flex items-start gap-1 rounded-medium border border-line bg-sunken py-1.5 ps-4 pe-1.5">
      <p dir="auto" className="min-w-0 flex-1 py-1.5 whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      {isForHere && <CopyButton text={text} label={t('admin.users.copyForHere')} isSmall />}
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
  const { address, reach, letIn } = useInviteAddress()
  const text = [
    t('admin.users.invitation', { name, gateway: t('common.productName') }),
    t('admin.users.invitationSignIn', { address }),
    t('admin.users.invitationEmail', { email }),
    t('admin.users.invitationPassword', { password }),
  ].join('\n')
  return (
    <Dialog
      onClose={onClose}
      title={t('admin.users.invitedTitle', { name })}
      description={t(letIn ? 'admin.users.oneStepLeft' : 'admin.users.invitedText', { name })}
      actions={
        letIn ? (
          <Button
            tone="primary"
            icon={<TabletSmartphone className="size-4" />}
            busy={letIn.busy}
            onClick={() => void letIn.run()}
          >
            {t('admin.users.letIn')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('common.done')}</Button>
            <CopyButton text={text} label={t('admin.users.copyInvitation')} tone="primary" />
          </>
        )
      }
    >
      <Message text={text} isForHere={letIn !== null} />
      <ReachNote reach={reach} letIn={letIn} />
    </Dialog>
  )
}
