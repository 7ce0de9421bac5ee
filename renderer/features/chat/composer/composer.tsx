import { ArrowUp, FileText, Square, TextCursorInput, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useLayoutEffect,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { AttachMenu } from '../attachments/attach-menu.tsx'
import type { AttachRights } from '../attachments/use-attaching.tsx'
import { AttachmentChips } from '../../../ui/attachments/attachment-chips.tsx'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { countLines, type Draft, estimateTokens, isBlank, isLargePaste } from './draft.ts'
import { acceleratorKeys } from '../../../lib/accelerator.ts'
import { formatLocale } from '../../../lib/i18n.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'

const AddSheet = lazyPart(() => import('../attachments/add-sheet.tsx'), 'AddSheet')

interface ComposerProps {
  readonly draft: Draft
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly isAnswering: boolean
  /** True if the conversation that the message continues is loaded. */
  readonly isRead: boolean
  readonly hasModel: boolean
  readonly modelPicker: ReactNode
  readonly attachments: Attachments
  readonly attachRights: AttachRights
  /** Rows of the sheet that holds on a phone what goes along with a message; absent elsewhere. */
  readonly sheet?: ReactNode
  /** What of the sheet is switched on. */
  readonly chosen?: ReactNode
  /** Voice controls. */
  readonly voice?: ReactNode
  readonly onChange: (draft: Draft) => void
  readonly onSend: () => void
  /** Queues the message until the current answer is complete. */
  readonly onQueue: () => void
  /** Stops the current answer and sends the message immediately. */
  readonly onSteer: () => void
  /** Edits the last question. */
  readonly onEditLast: () => void
  readonly onStop: () => void
}

const SHOW_TOKENS_FROM = 1500
const growsByItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** Resizes the box to its text in browsers that do not do so themselves. */
function grow(element: HTMLTextAreaElement | null): void {
  if (growsByItself || !element) return
  element.style.height = 'auto'
  element.style.height = `${element.scrollHeight}px`
}

function PasteChip({
  paste,
  onRemove,
  onInsert,
}: {
  paste: string
  onRemove: () => void
  onInsert: () => void
}) {
  const { t } = useTranslation()
  return (
    <span className="inline-flex max-w-full items-center gap-2 rounded-medium border border-line bg-sunken py-1 ps-2.5 pe-1 text-small">
      <FileText className="size-3.5 shrink-0 text-muted" />
      <span className="truncate">{t('chat.composer.paste', { count: countLines(paste) })}</span>
      <IconButton
        size="small"
        label={t('chat.composer.pasteInsert')}
        icon={<TextCursorInput />}
        onClick={onInsert}
      />
      <IconButton
        size="small"
        label={t('chat.composer.pasteRemove')}
        icon={<X />}
        onClick={onRemove}
      />
    </span>
  )
}

function SendButton({
  reason,
  isAnswering,
  onStop,
}: {
  reason: string | null
  isAnswering: boolean
  onStop: () => void
}) {
  const { t } = useTranslation()
  const shape = 'size-9 rounded-full! pointer-coarse:min-h-9 pointer-coarse:min-w-9'
  if (isAnswering) {
    return (
      <IconButton
        label={t('chat.composer.stop')}
        side="top"
        icon={<Square className="fill-current size-3!" />}
        className={classNames(shape, 'bg-ink text-page! hover:bg-ink/85')}
        onClick={onStop}
      />
    )
  }
  return (
    <IconButton
      type="submit"
      label={t('chat.composer.send')}
      hint={reason ?? undefined}
      side="top"
      aria-disabled={reason !== null}
      icon={<ArrowUp className="size-4.5!" strokeWidth={2.25} />}
      className={classNames(
        shape,
        reason === null
          ? 'bg-accent text-on-accent! hover:bg-accent-strong'
          : 'bg-pressed text-muted! opacity-100! hover:bg-pressed!',
      )}
    />
  )
}

/**
 * The message input. It never blocks typing; during an answer the send button is replaced by stop,
 * Enter queues the message until the answer is complete, and Escape stops it.
 */
export function Composer(props: ComposerProps) {
  const {
    draft,
    box,
    isAnswering,
    isRead,
    hasModel,
    modelPicker,
    attachments,
    attachRights,
    onChange,
    onSend,
    onQueue,
    onSteer,
    onEditLast,
    onStop,
  } = props
  const { t } = useTranslation()
  const isUploading = useStore(attachments.uploads.store, ({ uploads }) =>
    uploads.some(({ state }) => state === 'waiting' || state === 'sending'),
  )
  useLayoutEffect(() => grow(box.current), [box, draft.text])
  const tokens = estimateTokens(draft)
  const hindrance = !hasModel
    ? 'noModel'
    : !isRead
      ? 'sendUnread'
      : isUploading
        ? 'sendUploading'
        : isBlank(draft)
          ? 'sendEmpty'
          : null
  const reason = hindrance && t(`chat.composer.${hindrance}`)

  const send = (isNow = false): void => {
    if (reason !== null) return
    if (!isAnswering) onSend()
    else if (isNow) onSteer()
    else onQueue()
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends an input method's composition belongs to the input method; some browsers only
    // indicate this by the key code.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.shiftKey || event.altKey || isComposing) return
    if (event.key === 'Escape' && isAnswering) onStop()
    if (event.key === 'ArrowUp' && isBlank(draft) && !isAnswering) {
      event.preventDefault()
      onEditLast()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    send(event.ctrlKey || event.metaKey)
  }
  const removePaste = (index: number, text = draft.text): void =>
    onChange({ text, pastes: draft.pastes.filter((_, place) => place !== index) })
  const handlePaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const files = [...event.clipboardData.files]
    if (files.length > 0 && attachRights.upload) {
      event.preventDefault()
      attachments.uploads.add(files)
      return
    }
    const text = event.clipboardData.getData('text/plain')
    if (!isLargePaste(text)) return
    event.preventDefault()
    onChange({ ...draft, pastes: [...draft.pastes, text] })
  }

  return (
    <form
      aria-label={t('chat.composer.region')}
      onSubmit={handleSubmit}
      className="@container relative flex flex-col rounded-composer border border-line bg-raised shadow-low transition-[border-color,box-shadow] duration-(--motion-in) has-[textarea:focus]:border-muted has-[textarea:focus]:shadow-[0_0_0_3px_var(--hover)] forced-colors:border-[ButtonBorder] forced-colors:has-[textarea:focus]:outline-2 forced-colors:has-[textarea:focus]:-outline-offset-2 forced-colors:has-[textarea:focus]:outline-[Highlight]"
    >
      <AttachmentChips attachments={attachments} />
      {draft.pastes.length > 0 && (
        <div className="flex flex-wrap gap-1.5 px-3 pt-3">
          {draft.pastes.map((paste, index) => (
            <PasteChip
              // oxlint-disable-next-line react/no-array-index-key -- pasted texts have no other key than their index
              key={index}
              paste={paste}
              onRemove={() => removePaste(index)}
              onInsert={() => removePaste(index, [draft.text, paste].filter(Boolean).join('\n\n'))}
            />
          ))}
        </div>
      )}
      <textarea
        ref={box}
        id="composer"
        rows={1}
        dir="auto"
        value={draft.text}
        aria-label={t('chat.composer.label')}
        aria-describedby="composer-hint"
        placeholder={t('chat.composer.placeholder')}
        onChange={(event) => onChange({ ...draft, text: event.target.value })}
        onKeyDown={handleKey}
        onPaste={handlePaste}
        enterKeyHint="send"
        className="field-sizing-content max-h-[calc(10*var(--message-line)+1.5rem)] min-h-[calc(var(--message-line)+1.25rem)] w-full resize-none bg-transparent px-4 pt-3.5 pb-1.5 text-message outline-none"
      />
      <p id="composer-hint" className="sr-only">
        {t('chat.composer.hint')}
      </p>
      {props.chosen}
      <div className="flex min-w-0 items-end gap-1 px-2 pb-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1 @max-[30rem]:gap-x-0">
          {props.sheet === undefined ? (
            <AttachMenu attachments={attachments} rights={attachRights} />
          ) : (
            <Suspense fallback={<span className="size-11" />}>
              <AddSheet attachments={attachments} rights={attachRights}>
                {props.sheet}
              </AddSheet>
            </Suspense>
          )}
          {modelPicker}
        </div>
        {isAnswering && reason === null && (
          <span className="shrink-0 self-center px-2 text-small text-muted max-sm:hidden">
            {t('chat.queue.hint', { keys: acceleratorKeys('CmdOrCtrl+Enter').join('+') })}
          </span>
        )}
        {tokens >= SHOW_TOKENS_FROM && (
          <span className="shrink-0 px-2 text-small text-muted tabular-nums max-sm:hidden">
            {t('chat.composer.tokens', { amount: tokens.toLocaleString(formatLocale()) })}
          </span>
        )}
        {props.voice}
        <SendButton reason={reason} isAnswering={isAnswering} onStop={onStop} />
      </div>
    </form>
  )
}
