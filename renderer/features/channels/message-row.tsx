import { CornerUpRight, RotateCw, Square, Trash2, TriangleAlert } from 'lucide-react'
import { type FocusEvent, memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { call, endpoints } from '../../api/client.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatAge } from '../../lib/format-time.ts'
import { MessageFiles } from '../../ui/attachments/message-files.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { Avatar, pictureOf } from '../../ui/marks/avatar.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageEdit } from './message-edit.tsx'
import { shortTime, MessageHead, wholeTime } from './message-head.tsx'
import { MessageText } from './message-text.tsx'
import { toPlainText } from './mentions.ts'
import { discard, sendPending } from './post-message.ts'
import { Reactions } from './reactions.tsx'
import { mayWrite, useRoom, useRoomState } from './room-view.ts'
import { authorName, isAnswer, isGrowing, type ShownMessage, toTime } from './shown-message.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import type { Timeline } from './timeline.ts'

const QUOTE_SHOWN = 160
const USUALLY_SENT = 800

/** The message being replied to, in one line that links to it. */
function Quote({ message }: { message: ShownMessage }) {
  const { t } = useTranslation()
  const { showMessage } = useRoom()
  const quoted = message.reply_to_message
  if (message.reply_to_id === null) return null
  const look = 'flex max-w-full min-w-0 items-center gap-1.5 text-small text-muted'
  if (!quoted) {
    return (
      <p className={look}>
        <CornerUpRight className="size-3.5 shrink-0 rtl:-scale-x-100" />
        {t('channels.message.quoteGone')}
      </p>
    )
  }
  return (
    <button
      type="button"
      onClick={() => showMessage({ id: quoted.id, parent_id: message.parent_id })}
      aria-label={t('channels.message.quoteOf', {
        name: authorName(quoted),
        text: toPlainText(quoted.content).slice(0, QUOTE_SHOWN),
      })}
      className={classNames(look, 'rounded-small hover:text-ink pointer-coarse:min-h-11')}
    >
      <CornerUpRight className="size-3.5 shrink-0 rtl:-scale-x-100" />
      <bdi className="shrink-0 font-medium">{authorName(quoted)}</bdi>
      <bdi className="min-w-0 truncate">{toPlainText(quoted.content).slice(0, QUOTE_SHOWN)}</bdi>
    </button>
  )
}

/** Number of replies to a message and the time of the last one; a press opens them. */
function ThreadLink({ message }: { message: ShownMessage }) {
  const { t } = useTranslation()
  const { showThread } = useRoom()
  if (message.reply_count === 0) return null
  const age =
    message.latest_reply_at === null ? null : formatAge(toTime(message.latest_reply_at) / 1000)
  return (
    <button
      type="button"
      onClick={() => showThread(message.id)}
      className="group/thread mt-1 -ms-1.5 inline-flex h-7 items-center gap-2 rounded-medium border border-transparent px-1.5 text-small hover:border-line hover:bg-raised pointer-coarse:min-h-11"
    >
      <span className="font-semibold text-accent-strong dark:text-accent">
        {t('channels.message.replies', { count: message.reply_count })}
      </span>
      {age && <span className="text-muted">{t('channels.message.lastReply', { age })}</span>}
    </button>
  )
}

/** Shows that a message is being sent if that takes longer than usual, to avoid flicker. */
function SendingNote() {
  const { t } = useTranslation()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), USUALLY_SENT)
    return () => clearTimeout(timer)
  }, [])
  if (!isLong) return null
  return (
    <p className="flex items-center gap-1.5 text-small text-muted">
      <Spinner className="size-3 border-[1.5px]" />
      {t('channels.message.sending')}
    </p>
  )
}

/** State of a message of this window that the gateway has not received. */
function SendState({ message, timeline }: { message: ShownMessage; timeline: Timeline }) {
  const { t } = useTranslation()
  const { sending } = message
  if (!sending) return null
  if (sending.state === 'sending') return <SendingNote />
  return (
    <div
      role="alert"
      className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-danger"
    >
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <TriangleAlert className="size-3.5 shrink-0" />
        {t('channels.message.notSent', { problem: sending.problem })}
      </span>
      <span className="flex gap-1">
        <Button
          className="h-7!"
          icon={<RotateCw className="size-3.5" />}
          onClick={() => void sendPending(timeline, message)}
        >
          {t('channels.message.tryAgain')}
        </Button>
        <Button
          tone="quiet"
          className="h-7!"
          icon={<Trash2 className="size-3.5" />}
          onClick={() => discard(timeline, message)}
        >
          {t('channels.message.discard')}
        </Button>
      </span>
    </div>
  )
}

/** Shows that a model is answering; the user who asked may stop it. */
function AnswerState({ message }: { message: ShownMessage }) {
  const { t } = useTranslation()
  const { me } = useRoom()
  const taskId = message.meta?.task_id
  const stop = (): void => {
    if (taskId !== undefined)
      void call(endpoints.completions.stopTask, { params: { task_id: taskId } }).catch(
        tellFailure('channels.failed.stop'),
      )
  }
  return (
    <div className="mt-0.5 flex items-center gap-2 text-small text-muted">
      <Spinner className="size-3 border-[1.5px]" />
      {t('channels.message.answering')}
      {taskId !== undefined && message.user_id === me.id && (
        <Button
          tone="quiet"
          className="h-7!"
          icon={<Square className="size-2.5 fill-current" />}
          onClick={stop}
        >
          {t('channels.message.stop')}
        </Button>
      )}
    </div>
  )
}

function Body({ message, timeline }: { message: ShownMessage; timeline: Timeline }) {
  const { t } = useTranslation()
  const isWriting = isGrowing(message)
  const error = message.meta?.error?.content
  return (
    <>
      {message.content !== '' && (
        <div className={message.sending ? 'opacity-65' : undefined}>
          <MessageText text={message.content} isGrowing={isWriting} />
        </div>
      )}
      {isWriting && <AnswerState message={message} />}
      {error !== undefined && (
        <p className="mt-0.5 flex items-start gap-1.5 text-small text-danger">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" />
          {error || t('channels.message.answerFailed')}
        </p>
      )}
      {message.edited_at !== null && !isAnswer(message) && (
        <span className="text-small text-muted">{t('channels.message.edited')}</span>
      )}
      {message.files.length > 0 && <MessageFiles files={message.files.map(toFile)} />}
      <SendState message={message} timeline={timeline} />
    </>
  )
}

const toFile = ({ id, name, content_type, size }: ShownMessage['files'][number]) => ({
  id,
  name,
  size,
  type: /^image\/(png|jpeg|gif|webp)$/.test(content_type) ? 'image' : 'file',
  url: `/api/v1/files/${id}/content`,
})

interface MessageRowProps {
  readonly message: ShownMessage
  readonly timeline: Timeline
  /** True if it is grouped under the previous message's author. */
  readonly isFollowing: boolean
  /** True for the parent message of a thread, above its replies. */
  readonly isHead?: boolean
}

/** One message: author, time, text, reactions, and its actions once it is hovered or focused. */
export const MessageRow = memo(function MessageRow({
  message,
  timeline,
  isFollowing,
  isHead = false,
}: MessageRowProps) {
  const { t, i18n } = useTranslation()
  const { view, me } = useRoom()
  const write = useRoomState(mayWrite)
  const isEditing = useStore(view, ({ editingId }) => editingId === message.id)
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const isInThread = timeline.parentId !== null
  const isStored = message.sending === undefined
  const { id, user, meta } = message
  const name = authorName(message)
  const headingId = `message-${isHead ? 'head-' : ''}${id}`
  const isMentioned = message.content.includes(`<@U:${me.id}|`)
  const handleBlur = (event: FocusEvent): void =>
    setFocused(event.currentTarget.contains(event.relatedTarget))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only shows what can be done once it is pointed at
    <article
      data-message-id={id}
      aria-labelledby={headingId}
      tabIndex={-1}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={handleBlur}
      className={classNames(
        'group/message relative grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-3 rounded-medium px-3 outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 sm:px-5',
        isFollowing ? 'py-0.5' : 'mt-2 py-1 compact:mt-1',
        isMentioned
          ? 'bg-warning-soft/60 forced-colors:border-s-4'
          : (isPointed || isFocused || isOpen) && 'bg-hover/60',
      )}
    >
      <h3 id={headingId} className="sr-only">
        {t('channels.message.heading', {
          name,
          when: wholeTime(message.created_at, i18n.language),
        })}
      </h3>
      {isFollowing ? (
        <span
          aria-hidden="true"
          className={classNames(
            'pt-1 text-center text-tiny whitespace-nowrap text-muted tabular-nums',
            !isPointed && !isFocused && 'opacity-0',
          )}
        >
          {shortTime(message.created_at, i18n.language)}
        </span>
      ) : (
        <span className="pt-0.5">
          <Avatar
            name={name}
            id={user?.id ?? message.user_id}
            picture={meta?.model_id === undefined ? pictureOf(user) : null}
            kind={isAnswer(message) ? 'model' : user?.role === 'webhook' ? 'webhook' : 'person'}
          />
        </span>
      )}
      <div className="min-w-0">
        <Quote message={message} />
        {!isFollowing && <MessageHead message={message} />}
        {isEditing ? (
          <MessageEdit message={message} />
        ) : (
          <Body message={message} timeline={timeline} />
        )}
        <Reactions message={message} mayReact={write} />
        {!isInThread && <ThreadLink message={message} />}
      </div>
      {isStored && !isEditing && (isPointed || isFocused || isOpen) && (
        <MessageActions message={message} isInThread={isInThread} onOpenChange={setOpen} />
      )}
    </article>
  )
})
