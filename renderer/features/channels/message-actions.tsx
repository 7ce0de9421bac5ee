import {
  Copy,
  Ellipsis,
  EyeOff,
  Link2,
  MessageSquareReply,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/clipboard.ts'
import { channelPath } from '../../lib/router.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { pinMessage, toggleReaction } from './change-message.ts'
import { recentEmoji } from './emoji/recent-emoji.ts'
import './emoji/sign.css'
import { toPlainText } from './mentions.ts'
import { EmojiButton } from './reactions.tsx'
import { mayManage, mayWrite, type RoomContextValue, useRoom, useRoomState } from './room-view.ts'
import { isAnswer, isWrittenBy, type ShownMessage } from './shown-message.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

/** Actions permitted to the reader on a message. */
export interface MessageRights {
  readonly write: boolean
  readonly edit: boolean
  readonly remove: boolean
}

/** Answers of models cannot be edited; the user who asked may delete them. */
export function useMessageRights(message: ShownMessage): MessageRights {
  const { me } = useRoom()
  const write = useRoomState(mayWrite)
  const manage = useRoomState(mayManage)
  const isOwn = isWrittenBy(message, me.id)
  const isAsked = isAnswer(message) && message.user_id === me.id
  return { write, edit: write && isOwn, remove: isOwn || isAsked || manage || me.isAdmin }
}

const QUICK = 3

function copy(text: string, told: string): void {
  copyText(text).then(() => toast({ text: told }), tellFailure('channels.failed.copy'))
}

export const copyLink = (message: ShownMessage, told: string): void =>
  copy(
    location.origin +
      channelPath(message.channel_id, { message: message.id, thread: message.parent_id }),
    told,
  )

export const togglePin = ({ room }: RoomContextValue, message: ShownMessage, told: string): void =>
  void pinMessage(room, message, !message.is_pinned).then(
    () => announce(told),
    tellFailure('channels.failed.pin'),
  )

const markUnread = (value: RoomContextValue, message: ShownMessage, told: string): void =>
  void value.markUnread(message).then(() => announce(told), tellFailure('channels.failed.unread'))

interface MoreMenuProps {
  readonly message: ShownMessage
  readonly rights: MessageRights
  readonly onOpenChange: (open: boolean) => void
}

function MoreMenu({ message, rights, onOpenChange }: MoreMenuProps) {
  const { t } = useTranslation()
  const value = useRoom()
  return (
    <Menu
      onOpenChange={onOpenChange}
      trigger={
        <IconButton
          size="small"
          side="top"
          label={t('channels.actions.more')}
          icon={<Ellipsis />}
          className="size-7!"
        />
      }
    >
      {rights.edit && (
        <MenuItem
          icon={<Pencil />}
          onSelect={() => setTimeout(() => value.view.setState({ editingId: message.id }))}
        >
          {t('channels.actions.edit')}
        </MenuItem>
      )}
      {rights.write && (
        <MenuItem
          icon={message.is_pinned ? <PinOff /> : <Pin />}
          onSelect={() =>
            togglePin(
              value,
              message,
              t(message.is_pinned ? 'channels.actions.unpinned' : 'channels.actions.pinned'),
            )
          }
        >
          {t(message.is_pinned ? 'channels.actions.unpin' : 'channels.actions.pin')}
        </MenuItem>
      )}
      {message.parent_id === null && (
        <MenuItem
          icon={<EyeOff />}
          onSelect={() => markUnread(value, message, t('channels.actions.unread'))}
        >
          {t('channels.actions.markUnread')}
        </MenuItem>
      )}
      <MenuItem
        icon={<Link2 />}
        onSelect={() => copyLink(message, t('channels.actions.linkCopied'))}
      >
        {t('channels.actions.copyLink')}
      </MenuItem>
      <MenuItem
        icon={<Copy />}
        onSelect={() => copy(toPlainText(message.content), t('channels.actions.textCopied'))}
      >
        {t('channels.actions.copyText')}
      </MenuItem>
      {rights.remove && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 />}
            danger
            onSelect={() => value.view.setState({ deleting: message })}
          >
            {t('channels.actions.delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

interface MessageActionsProps {
  readonly message: ShownMessage
  /** True if the thread is already shown, which hides the links to it. */
  readonly isInThread: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Actions on the message that is hovered or focused. */
export function MessageActions({ message, isInThread, onOpenChange }: MessageActionsProps) {
  const { t } = useTranslation()
  const { room, view, me, showThread } = useRoom()
  const rights = useMessageRights(message)
  const [quick] = useState(() => recentEmoji().slice(0, QUICK))
  const react = (sign: string): void =>
    void toggleReaction(room, message, sign, me).catch(tellFailure('channels.failed.reaction'))
  return (
    <div className="pointer-events-none absolute -top-4 end-3 bottom-1 z-2 sm:end-5">
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- buttons beside a message, outside of any form
        role="group"
        aria-label={t('channels.actions.label')}
        // Stays visible along a long message.
        className="pointer-events-auto sticky top-1 flex items-center gap-0.5 rounded-medium border border-line bg-raised p-0.5 shadow-low"
      >
        {rights.write && (
          <>
            {quick.map((sign) => (
              <IconButton
                key={sign}
                size="small"
                side="top"
                label={t('channels.actions.reactWith', { sign })}
                icon={<span className="emoji-sign text-message leading-none">{sign}</span>}
                className="size-7! max-sm:hidden"
                onClick={() => react(sign)}
              />
            ))}
            <EmojiButton
              size="small"
              label={t('channels.actions.react')}
              onChoose={react}
              onOpenChange={onOpenChange}
              className="size-7!"
            />
          </>
        )}
        {!isInThread && (
          <IconButton
            size="small"
            side="top"
            label={t('channels.actions.thread')}
            icon={<MessagesSquare />}
            className="size-7!"
            onClick={() => showThread(message.id)}
          />
        )}
        {rights.write && (
          <IconButton
            size="small"
            side="top"
            label={t('channels.actions.quote')}
            icon={<MessageSquareReply className="rtl:-scale-x-100" />}
            className="size-7!"
            onClick={() => view.setState({ quoted: { message, parentId: message.parent_id } })}
          />
        )}
        <MoreMenu message={message} rights={rights} onOpenChange={onOpenChange} />
      </div>
    </div>
  )
}
