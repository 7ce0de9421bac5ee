import '../../lib/strings/share.ts'
import { Link2, Link2Off, RefreshCw } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { toPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { inputClasses } from '../../ui/fields/field.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'

interface ShareDialogProps {
  readonly chat: ChatListItem
  /** Called with the id of the new link, or null when it was removed. */
  readonly onChanged: (shareId: string | null) => void
  /** True if the user may open links to everyone. */
  readonly mayOpenToAll: boolean
  /** Renders the access settings of the link. */
  readonly access: (shareId: string) => ReactNode
  readonly onClose: () => void
}

const toLink = (shareId: string): string => location.origin + toPath({ name: 'share', shareId })

function LinkBox({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {t('share.link')}
      </label>
      <span className="flex flex-wrap gap-2">
        <input
          id={id}
          readOnly
          dir="ltr"
          value={toLink(shareId)}
          onFocus={(event) => event.currentTarget.select()}
          className={`${inputClasses} basis-52 flex-1`}
        />
        <CopyButton text={toLink(shareId)} label={t('share.copy')} />
      </span>
    </div>
  )
}

/** Dialog for a link to a snapshot of a chat: create, update, copy, remove. */
export function ShareDialog({ chat, onChanged, mayOpenToAll, access, onClose }: ShareDialogProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const [busy, setBusy] = useState<'share' | 'unshare' | null>(null)
  const shareId = chat.share_id
  const run = (kind: 'share' | 'unshare', act: () => Promise<void>): void => {
    setBusy(kind)
    setProblem(null)
    setNote(null)
    act()
      .catch((thrown: unknown) => setProblem(toSentence(thrown)))
      .finally(() => setBusy(null))
  }
  const params = { chat_id: chat.id }
  const share = (): void =>
    run('share', async () => {
      const shared = await call(endpoints.chats.share, { params, query: { reply: 'minimal' } })
      onChanged(shared.share_id)
      if (shareId !== null) setNote(t('share.refreshed'))
    })
  const unshare = (): void =>
    run('unshare', async () => {
      await call(endpoints.chats.unshare, { params })
      onChanged(null)
      setNote(t('share.stopped'))
    })
  return (
    <Dialog
      onClose={onClose}
      title={t('share.title')}
      description={t('share.text')}
      actions={
        shareId === null ? (
          <>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              tone="primary"
              icon={<Link2 className="size-4" />}
              busy={busy === 'share'}
              onClick={share}
            >
              {t('share.create')}
            </Button>
          </>
        ) : (
          <>
            <Button
              icon={<Link2Off className="size-4" />}
              busy={busy === 'unshare'}
              onClick={unshare}
              className="me-auto"
            >
              {t('share.stop')}
            </Button>
            <Button icon={<RefreshCw className="size-4" />} busy={busy === 'share'} onClick={share}>
              {t('share.refresh')}
            </Button>
            <Button tone="primary" onClick={onClose}>
              {t('common.done')}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        <FormProblem text={problem} />
        <p className="flex items-center gap-2 font-medium">
          <bdi className="min-w-0 truncate">{chat.title || t('chats.untitled')}</bdi>
        </p>
        <output className={note ? 'text-small text-muted' : 'sr-only'}>{note}</output>
        {!mayOpenToAll && <p className="text-muted">{t('share.namedOnly')}</p>}
        {shareId === null ? (
          <p className="text-muted">{t('share.snapshot')}</p>
        ) : (
          <>
            <LinkBox shareId={shareId} />
            {access(shareId)}
          </>
        )}
      </div>
    </Dialog>
  )
}
