import { ArrowUp, AtSign, CornerUpRight, Paperclip, X } from 'lucide-react'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { AttachmentChips } from '../../ui/attachments/attachment-chips.tsx'
import type { Attachments } from '../../ui/attachments/attachments-store.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { type ChannelDraft, EMPTY_DRAFT, keepDraft, useChannelDraft } from './channel-draft.ts'
import { MentionPicker } from './mention-picker.tsx'
import { toContent, toPlainText } from './mentions.ts'
import { postMessage } from './post-message.ts'
import { EmojiButton } from './reactions.tsx'
import { useRoom, useRoomState, useRoomView } from './room-view.ts'
import { authorName, isWrittenBy, type ShownMessage } from './shown-message.ts'
import type { Timeline } from './timeline.ts'
import { TypingLine } from './typing-line.tsx'
import { useTyping } from './use-typing.ts'

const QUOTE_SHOWN = 160
/** Maximum number of characters of a message. */
const LONGEST = 100_000

/** The message quoted by the next one. */
function QuoteBar({ message, onRemove }: { message: ShownMessage; onRemove: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex items-center gap-2 border-b border-line py-1.5 ps-4 pe-2 text-small text-muted">
      <CornerUpRight className="size-3.5 shrink-0 rtl:-scale-x-100" />
      <span className="min-w-0 flex-1 truncate">
        {t('channels.composer.quotes', { name: authorName(message) })}{' '}
        <bdi className="text-ink">{toPlainText(message.content).slice(0, QUOTE_SHOWN)}</bdi>
      </span>
      <IconButton
        size="small"
        label={t('channels.composer.removeQuote')}
        icon={<X />}
        onClick={onRemove}
      />
    </div>
  )
}

/** Inserts text at the caret. */
function insert(
  box: HTMLTextAreaElement | null,
  draft: ChannelDraft,
  piece: string,
  onChange: (draft: ChannelDraft) => void,
): void {
  const start = box?.selectionStart ?? draft.text.length
  const end = box?.selectionEnd ?? start
  onChange({ ...draft, text: draft.text.slice(0, start) + piece + draft.text.slice(end) })
  setTimeout(() => {
    box?.focus()
    box?.setSelectionRange(start + piece.length, start + piece.length)
  })
}

function Tools({
  box,
  draft,
  attachments,
  onChange,
}: {
  box: RefObject<HTMLTextAreaElement | null>
  draft: ChannelDraft
  attachments: Attachments
  onChange: (draft: ChannelDraft) => void
}) {
  const { t } = useTranslation()
  const { mayUpload } = useRoom()
  const input = useRef<HTMLInputElement>(null)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    attachments.uploads.add([...(event.target.files ?? [])])
    event.target.value = ''
  }
  const needsSpace = draft.text !== '' && !/\s$/.test(draft.text)
  return (
    <div className="flex min-w-0 flex-1 items-center gap-0.5">
      {mayUpload && (
        <>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            onChange={read}
            data-testid="attach-files"
          />
          <IconButton
            label={t('channels.composer.attach')}
            side="top"
            icon={<Paperclip />}
            className="rounded-full!"
            onClick={() => input.current?.click()}
          />
        </>
      )}
      <EmojiButton
        size="medium"
        label={t('channels.composer.emoji')}
        className="rounded-full!"
        onChoose={(sign) => insert(box.current, draft, sign, onChange)}
      />
      <IconButton
        label={t('channels.composer.mention')}
        side="top"
        icon={<AtSign />}
        className="rounded-full!"
        onClick={() => insert(box.current, draft, needsSpace ? ' @' : '@', onChange)}
      />
    </div>
  )
}

interface ChannelComposerProps {
  readonly timeline: Timeline
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly attachments: Attachments
  /** Placeholder of the empty box. */
  readonly placeholder: string
  readonly onSent: (content: string) => void
}

/**
 * Input for channel messages and thread replies. It is cleared immediately; a message that could
 * not be sent is shown in the list.
 */
export function ChannelComposer({
  timeline,
  box,
  attachments,
  placeholder,
  onSent,
}: ChannelComposerProps) {
  const { t } = useTranslation()
  const { view, me, mayUpload } = useRoom()
  const { channelId, parentId } = timeline
  const place = parentId === null ? `channel:${channelId}` : `channel:${channelId}:${parentId}`
  const { draft, change } = useChannelDraft(place)
  const quoted = useRoomView((state) =>
    state.quoted?.parentId === parentId ? state.quoted.message : null,
  )
  const say = useTyping(channelId, parentId)
  const entries = useStore(attachments.store, (state) => state.entries)
  const isUploading = useStore(attachments.uploads.store, ({ uploads }) =>
    uploads.some(({ state }) => state === 'waiting' || state === 'sending'),
  )
  const isReady = useRoomState(({ status }) => status === 'ready')
  const isThread = parentId !== null
  useEffect(() => {
    if (quoted) box.current?.focus()
  }, [quoted, box])
  const content = toContent(draft.text.trim(), draft.mentions)
  const hindrance =
    draft.text.trim() === '' && entries.length === 0
      ? 'empty'
      : isUploading
        ? 'uploading'
        : content.length > LONGEST
          ? 'tooLong'
          : !isReady
            ? 'notReady'
            : null
  const reason = hindrance && t(`channels.composer.${hindrance}`)
  const type = (next: ChannelDraft): void => {
    change(next)
    say(next.text.trim() !== '')
  }
  const send = (): void => {
    if (reason !== null) return
    const files = attachments.take().map(({ id, name, content_type: type = '', size = 0 }) => ({
      id,
      name,
      content_type: type,
      size,
    }))
    change(EMPTY_DRAFT)
    keepDraft(place, EMPTY_DRAFT)
    say(false)
    view.setState((state) => (quoted ? { ...state, quoted: null } : state))
    void postMessage(
      timeline,
      { content, files, quoted },
      { id: me.id, name: me.name, profile_image_url: me.profile_image_url },
    )
    onSent(content)
    box.current?.focus()
  }
  const editLast = (): boolean => {
    const own = timeline.store
      .getState()
      .messages.findLast((message) => isWrittenBy(message, me.id))
    // A message being sent cannot be edited yet, and the one before it must not be edited instead.
    if (own && !own.sending) view.setState({ editingId: own.id })
    return own !== undefined
  }
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends an input method's composition belongs to the input method; some browsers only
    // indicate this by the key code.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.defaultPrevented) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && draft.text === '' && editLast()) {
      event.preventDefault()
    } else if (event.key === 'Escape' && quoted) {
      event.preventDefault()
      view.setState({ quoted: null })
    }
  }
  const handlePaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || !mayUpload) return
    event.preventDefault()
    attachments.uploads.add(files)
  }
  return (
    <div className="relative px-3 pb-1.5 sm:px-5">
      <MentionPicker box={box} draft={draft} onChange={type} />
      <form
        aria-label={t(isThread ? 'channels.composer.threadRegion' : 'channels.composer.region')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          send()
        }}
        className="flex flex-col overflow-hidden rounded-large border border-edge bg-raised shadow-low transition-colors duration-(--motion-in) focus-within:border-muted"
      >
        {quoted && <QuoteBar message={quoted} onRemove={() => view.setState({ quoted: null })} />}
        <AttachmentChips attachments={attachments} isPlain />
        <textarea
          ref={box}
          id={isThread ? 'thread-composer' : 'composer'}
          rows={1}
          dir="auto"
          value={draft.text}
          aria-label={t(isThread ? 'channels.composer.threadLabel' : 'channels.composer.label')}
          placeholder={placeholder}
          onChange={(event) => type({ ...draft, text: event.target.value })}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          enterKeyHint="send"
          className="field-sizing-content max-h-[calc(10*1.4375rem+1rem)] min-h-11 w-full resize-none bg-transparent px-4 pt-2.5 pb-1 text-written outline-none"
        />
        <div className="flex items-center gap-1 ps-2 pe-1.5 pb-1.5">
          <Tools box={box} draft={draft} attachments={attachments} onChange={type} />
          <IconButton
            type="submit"
            label={t('channels.composer.send')}
            hint={reason ?? undefined}
            side="top"
            aria-disabled={reason !== null}
            icon={<ArrowUp strokeWidth={2.25} />}
            className={classNames(
              'rounded-full!',
              reason === null
                ? 'bg-accent text-on-accent! hover:bg-accent-strong'
                : 'bg-pressed text-muted! opacity-100! hover:bg-pressed!',
            )}
          />
        </div>
      </form>
      <TypingLine parentId={parentId} />
    </div>
  )
}
