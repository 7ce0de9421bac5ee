import { Check, Copy, Ellipsis, Pencil, RotateCw, Trash2, X } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCopy } from '../../ui/markdown/use-copy.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { BranchArrows } from './branch-arrows.tsx'
import { useChatView } from './chat-context.ts'
import type { ChatMessage } from './chat-store.ts'
import { PluginActions } from './tools/plugin-actions.tsx'

function CopyAction({ text }: { text: string }) {
  const { t } = useTranslation()
  const { state, copy } = useCopy()
  const labels = { idle: t('chat.message.copy'), copied: t('chat.copied'), failed: t('chat.copyFailed') }
  const icons = { idle: <Copy />, copied: <Check />, failed: <X /> }
  return <IconButton label={labels[state]} icon={icons[state]} onClick={() => void copy(text)} />
}

function MoreActions({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { askToDelete } = useChatView()
  return (
    <Menu align="start" trigger={<IconButton label={t('chat.message.more')} icon={<Ellipsis />} />}>
      <MenuItem icon={<Trash2 />} danger onSelect={() => askToDelete(message.id)}>
        {t('chat.message.delete')}
      </MenuItem>
    </Menu>
  )
}

interface ActionRowProps {
  readonly isLast: boolean
  readonly isEnd?: boolean
  readonly children: ReactNode
}

/** Quiet until the message is pointed at or holds the focus; always there on the last one and where nothing can hover. */
function ActionRow({ isLast, isEnd = false, children }: ActionRowProps) {
  // A chat that opens shows its text first; the buttons follow a moment later into the room kept for them.
  const isReady = useDeferredValue(true, isLast)
  return (
    <div
      className={classNames(
        'mt-1 flex min-h-8 flex-wrap items-center transition-opacity duration-(--motion-in) group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100',
        isEnd ? '-me-1.5 justify-end' : '-ms-1.5',
        !isLast && 'opacity-0',
      )}
    >
      {isReady && children}
    </div>
  )
}

interface AnswerActionsProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  /** One of several answers side by side is written again by its own model. */
  readonly isColumn?: boolean
  readonly children?: ReactNode
}

/** What can be done with an answer. */
export function AnswerActions({ message, isLast, isColumn = false, children }: AnswerActionsProps) {
  const { t } = useTranslation()
  const { regenerate, model } = useChatView()
  const isOther = !isColumn && model !== null && message.model !== undefined && model.id !== message.model
  const label = isOther ? t('chat.message.regenerateWith', { model: model.name }) : t('chat.message.regenerate')
  return (
    <ActionRow isLast={isLast}>
      <BranchArrows message={message} />
      {message.content !== '' && <CopyAction text={message.content} />}
      <IconButton label={label} icon={<RotateCw />} disabled={!model} onClick={() => regenerate(message.id)} />
      <PluginActions message={message} />
      <MoreActions message={message} />
      {children}
    </ActionRow>
  )
}

/** What can be done with a message of the person. */
export function QuestionActions({ message, isLast, onEdit }: { message: ChatMessage; isLast: boolean; onEdit: () => void }) {
  const { t } = useTranslation()
  return (
    <ActionRow isLast={isLast} isEnd>
      <CopyAction text={message.content} />
      {!message.unsent && (
        <>
          <IconButton label={t('chat.message.edit')} icon={<Pencil />} onClick={onEdit} />
          <MoreActions message={message} />
          <BranchArrows message={message} />
        </>
      )}
    </ActionRow>
  )
}
