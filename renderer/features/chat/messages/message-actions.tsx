import {
  Check,
  ChevronDown,
  Copy,
  Ellipsis,
  ListTree,
  Pencil,
  RotateCw,
  Star,
  Trash2,
  X,
} from 'lucide-react'
import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { whyNotCopied } from '../../../lib/clipboard.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useCopy } from '../../../ui/markdown/use-copy.ts'
import { announce } from '../../../ui/layout/live-region.tsx'
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx'
import { hasFailed, isSuperseded } from '../failures/describe-failure.ts'
import { BranchArrows } from '../branches/branch-arrows.tsx'
import { useChatView } from '../chat-context.ts'
import { type ChatMessage, isTemporaryId } from '../chat-store.ts'
import { chatDeps } from '../chat-registry.ts'
import { chatViewStore, openTraces } from '../chat-view-store.ts'
import { markFavorite } from './favorite.ts'
import { RatingButtons } from '../rating/rating-buttons.tsx'
import { useRating } from '../rating/use-rating.ts'
import { PluginActions } from '../tools/plugin-actions.tsx'
import { toastError } from '../../../ui/floating/toast.tsx'
import { lazyPart } from '../../../lib/lazy-part.ts'

const RatingPanel = lazyPart(() => import('../rating/rating-panel.tsx'), 'RatingPanel')

const ReadAloudAction = lazyPart(() => import('../voice/read-aloud-action.tsx'), 'ReadAloudAction')

function CopyAction({ text }: { text: string }) {
  const { t } = useTranslation()
  const { state, copy } = useCopy()
  const labels = {
    idle: t('chat.message.copy'),
    copied: t('chat.copied'),
    failed: whyNotCopied(),
  }
  const icons = { idle: <Copy />, copied: <Check />, failed: <X /> }
  return <IconButton label={labels[state]} icon={icons[state]} onClick={() => void copy(text)} />
}

/** Items of the menu of a message. */
export function MessageItems({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { askToDelete, chat } = useChatView()
  const isFavorite = message.favorite === true
  const toggleFavorite = (): void => {
    markFavorite(chat.store, chatDeps, message.id, !isFavorite).then(
      () => announce(t(isFavorite ? 'chat.message.unfavorited' : 'chat.message.favorited')),
      toastError,
    )
  }
  return (
    <>
      <MenuItem
        icon={<Star className={classNames(isFavorite && 'fill-current text-accent')} />}
        onSelect={toggleFavorite}
      >
        {t(isFavorite ? 'chat.message.unfavorite' : 'chat.message.favorite')}
      </MenuItem>
      {message.role === 'assistant' && message.content !== '' && (
        <MenuItem
          icon={<Pencil />}
          onSelect={() => chatViewStore.setState({ editingId: message.id })}
        >
          {t('chat.message.edit')}
        </MenuItem>
      )}
      {message.role === 'assistant' && !isTemporaryId(chat.store.getState().chatId) && (
        <MenuItem icon={<ListTree />} onSelect={() => openTraces(chatViewStore, message.id)}>
          {t('chat.trace.open')}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 />} danger onSelect={() => askToDelete(message.id)}>
        {t('chat.message.delete')}
      </MenuItem>
    </>
  )
}

function MoreActions({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  return (
    <Menu align="start" trigger={<IconButton label={t('chat.message.more')} icon={<Ellipsis />} />}>
      <MessageItems message={message} />
    </Menu>
  )
}

/** Favourite mark; a click removes it. */
function FavoriteMark({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  if (message.favorite !== true) return null
  return (
    <IconButton
      label={t('chat.message.unfavorite')}
      icon={<Star className="fill-current text-accent" />}
      onClick={() => void markFavorite(chat.store, chatDeps, message.id, false).catch(toastError)}
    />
  )
}

interface ActionRowProps {
  readonly isLast: boolean
  readonly isEnd?: boolean
  readonly children: ReactNode
}

/**
 * Action buttons, shown while the message is hovered or focused, or after a tap on devices without
 * hover; always visible on the last message. Screen readers reach them in any case.
 */
function ActionRow({ isLast, isEnd = false, children }: ActionRowProps) {
  // An opening chat renders its text first; the buttons follow a moment later in the space reserved
  // for them.
  const isReady = useDeferredValue(true, isLast)
  return (
    <div
      data-actions={isLast ? 'shown' : 'quiet'}
      className={classNames(
        'mt-1 flex min-h-8 flex-wrap items-center transition-opacity duration-(--motion-in) group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100',
        // At 360 pixels the row of an answer takes the edge of the page as well, to stay one row.
        isEnd ? '-me-1.5 justify-end' : '-ms-2 max-sm:-me-4 pointer-coarse:-ms-3.5',
        !isLast && 'opacity-0',
      )}
    >
      {isReady && children}
    </div>
  )
}

/** Requests another answer from a model chosen only for it. */
function AgainWith({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { models, regenerateWith } = useChatView()
  const others = models.filter(({ id }) => id !== message.model)
  if (others.length === 0) return null
  return (
    <Menu
      align="start"
      trigger={
        <IconButton
          label={t('chat.message.regenerateMenu')}
          icon={<ChevronDown className="size-3.5!" />}
          className="-ms-1 w-6!"
        />
      }
    >
      {others.map((model) => (
        <MenuItem key={model.id} onSelect={() => regenerateWith(message.id, model)}>
          <bdi className="truncate">{model.name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}

/** True for an answer that never began, with nothing to rate or to keep. */
const isUnbegun = ({ content, error, files }: ChatMessage): boolean =>
  content === '' && error !== undefined && (files ?? []).length === 0

interface AnswerActionsProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  /** True for one of several answers side by side, which is regenerated by its own model. */
  readonly isColumn?: boolean
  readonly children?: ReactNode
}

/** Actions on an answer. */
export function AnswerActions({ message, isLast, isColumn = false, children }: AnswerActionsProps) {
  const { t } = useTranslation()
  const { regenerate, model, voice } = useChatView()
  const isOther =
    !isColumn && model !== null && message.model !== undefined && model.id !== message.model
  const rating = useRating(message)
  const isRateable = !isUnbegun(message)
  // The card of a failure has the menu and the ways on; nothing may be left for this row.
  const isInCard = hasFailed(message) && !isSuperseded(message, isLast)
  if (isInCard && !isRateable && message.siblingIds.length < 2 && !message.edited) return null
  const label = isOther
    ? t('chat.message.regenerateWith', { model: model.name })
    : t('chat.message.regenerate')
  return (
    <>
      <ActionRow isLast={isLast}>
        <BranchArrows message={message} />
        {message.content !== '' && <CopyAction text={message.content} />}
        {message.content !== '' && voice.maySpeak && (
          <Suspense>
            <ReadAloudAction message={message} />
          </Suspense>
        )}
        {!hasFailed(message) && (
          <IconButton
            label={label}
            icon={<RotateCw />}
            disabled={!model}
            onClick={() => regenerate(message.id)}
          />
        )}
        {!isColumn && !isInCard && (isRateable || !hasFailed(message)) && (
          <AgainWith message={message} />
        )}
        {isRateable && (
          <>
            <RatingButtons control={rating} />
            <FavoriteMark message={message} />
            <PluginActions message={message} />
          </>
        )}
        {message.edited === true && (
          <span className="px-1.5 text-small text-muted">{t('chat.edit.edited')}</span>
        )}
        {/* Where the row breaks, they go together; one button alone looks lost. */}
        <span className="flex items-center">
          {!isInCard && <MoreActions message={message} />}
          {children}
        </span>
      </ActionRow>
      {rating.isAsking && rating.rating && (
        <Suspense>
          <RatingPanel
            key={rating.rating.rating}
            rating={rating.rating}
            onSend={rating.explain}
            onClose={rating.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Actions on a user message. */
export function QuestionActions({
  message,
  isLast,
  onEdit,
}: {
  message: ChatMessage
  isLast: boolean
  onEdit: () => void
}) {
  const { t } = useTranslation()
  return (
    <ActionRow isLast={isLast} isEnd>
      <CopyAction text={message.content} />
      {!message.unsent && (
        <>
          <IconButton label={t('chat.message.edit')} icon={<Pencil />} onClick={onEdit} />
          <FavoriteMark message={message} />
          <MoreActions message={message} />
          <BranchArrows message={message} />
        </>
      )}
    </ActionRow>
  )
}
