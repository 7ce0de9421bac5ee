import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../api/client.ts'
import { announce } from '../../ui/layout/live-region.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { deleteMessage } from './change-message.ts'
import { channelName } from './channel-name.ts'
import { MembersDialog } from './members-dialog.tsx'
import { useRoom, useRoomState, useRoomView } from './room-view.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import { WebhooksDialog } from './webhooks-dialog.tsx'

function DeleteMessage() {
  const { t } = useTranslation()
  const { room, view } = useRoom()
  const message = useRoomView((state) => state.deleting)
  const [busy, setBusy] = useState(false)
  if (!message) return null
  const close = (): void => view.setState({ deleting: null })
  const remove = (): void => {
    setBusy(true)
    deleteMessage(room, message)
      .then(() => announce(t('channels.delete.done')), tellFailure('channels.failed.delete'))
      .finally(() => {
        setBusy(false)
        close()
      })
  }
  return (
    <ConfirmDialog
      danger
      busy={busy}
      onClose={close}
      title={t('channels.delete.title')}
      description={t(
        message.reply_count > 0 ? 'channels.delete.textThread' : 'channels.delete.text',
      )}
      confirmLabel={t('channels.actions.delete')}
      onConfirm={remove}
    />
  )
}

/** Asks for confirmation before leaving or deleting the channel. */
function LeaveOrDelete({
  kind,
  onLeft,
  onClose,
}: {
  kind: 'leave' | 'delete'
  onLeft: () => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { room, me } = useRoom()
  const channel = useRoomState((state) => state.channel)
  const [busy, setBusy] = useState(false)
  if (!channel) return null
  const params = { channel_id: room.channelId }
  const isConversation = channel.type === 'dm'
  const confirm = (): void => {
    setBusy(true)
    const done: Promise<unknown> =
      kind === 'delete'
        ? call(endpoints.channels.remove, { params })
        : call(endpoints.channels.updateActive, { params, body: { is_active: false } })
    done
      .then(
        onLeft,
        tellFailure(kind === 'delete' ? 'channels.failed.deleteChannel' : 'channels.failed.leave'),
      )
      .finally(() => setBusy(false))
  }
  const name = channelName(channel, me.id)
  const part = kind === 'delete' ? 'deleteChannel' : isConversation ? 'hide' : 'leave'
  return (
    <ConfirmDialog
      danger={kind === 'delete'}
      busy={busy}
      onClose={onClose}
      title={t(`channels.${part}.title`, { name })}
      description={t(`channels.${part}.text`)}
      confirmLabel={t(`channels.${part}.confirm`)}
      onConfirm={confirm}
    />
  )
}

/** Dialogs of a channel, one at a time. */
export function RoomDialogs({ onLeft }: { onLeft: () => void }) {
  const { view } = useRoom()
  const dialog = useRoomView((state) => state.dialog)
  const close = (): void => view.setState({ dialog: null })
  return (
    <>
      <DeleteMessage />
      {dialog === 'members' && <MembersDialog onClose={close} />}
      {dialog === 'settings' && <SettingsDialog onClose={close} />}
      {dialog === 'webhooks' && <WebhooksDialog onClose={close} />}
      {(dialog === 'leave' || dialog === 'delete') && (
        <LeaveOrDelete kind={dialog} onLeft={onLeft} onClose={close} />
      )}
    </>
  )
}
