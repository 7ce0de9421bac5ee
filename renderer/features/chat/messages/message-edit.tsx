import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/controls/button.tsx'
import { KeptFiles } from '../attachments/kept-files.tsx'

interface MessageEditProps {
  readonly text: string
  /** Attachments of the message; each can be removed. */
  readonly files: readonly unknown[]
  readonly canSend: boolean
  /** True for an answer, which is only saved and in which Enter inserts a line break. */
  readonly isAnswer?: boolean
  readonly onSend: (text: string, files: readonly unknown[]) => void
  readonly onCancel: () => void
}

/** Editor of a sent message. Escape discards the changes. */
export function MessageEdit({
  text,
  files,
  canSend,
  isAnswer = false,
  onSend,
  onCancel,
}: MessageEditProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(text)
  const [kept, setKept] = useState(files)
  const box = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
    // Scrolling only the box into view would leave its buttons below the edge of a small window.
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isReady = canSend && draft.trim() !== ''
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onCancel()
    }
    const isDone = isAnswer ? event.ctrlKey || event.metaKey : !event.shiftKey
    if (event.key === 'Enter' && isDone && isReady) {
      event.preventDefault()
      onSend(draft.trim(), kept)
    }
  }
  return (
    <div
      ref={frame}
      className="w-full rounded-large border border-edge bg-raised p-2 focus-within:border-muted"
    >
      {kept.length > 0 && (
        <KeptFiles files={kept} onChange={setKept} onEmptied={() => box.current?.focus()} />
      )}
      <textarea
        ref={box}
        dir="auto"
        value={draft}
        rows={2}
        aria-label={t('chat.edit.label')}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-96 w-full resize-none bg-transparent px-2 py-1.5 text-message outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 ps-2">
        <p className="min-w-40 flex-1 max-sm:basis-full text-small text-muted">
          {t(isAnswer ? 'chat.edit.answerNote' : 'chat.edit.note')}
        </p>
        <Button onClick={onCancel}>{t('chat.edit.cancel')}</Button>
        <Button tone="primary" disabled={!isReady} onClick={() => onSend(draft.trim(), kept)}>
          {t(isAnswer ? 'common.save' : 'chat.edit.send')}
        </Button>
      </div>
    </div>
  )
}
