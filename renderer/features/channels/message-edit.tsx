import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { editMessage } from './change-message.ts'
import type { ChannelDraft } from './channel-draft.ts'
import { MentionPicker } from './mention-picker.tsx'
import { fromContent, toContent } from './mentions.ts'
import { useRoom } from './room-view.ts'
import type { ShownMessage } from './shown-message.ts'

/** In-place editor of a message. Enter saves, Escape discards. */
export function MessageEdit({ message }: { message: ShownMessage }) {
  const { t } = useTranslation()
  const { room, view } = useRoom()
  const [draft, setDraft] = useState<ChannelDraft>(() => fromContent(message.content))
  const box = useRef<HTMLTextAreaElement>(null)
  const close = (): void => {
    const article = box.current?.closest<HTMLElement>('[data-message-id]')
    view.setState({ editingId: null })
    setTimeout(() => article?.focus())
  }
  const saving = useAction(
    () => editMessage(room, message, toContent(draft.text.trim(), draft.mentions)),
    () => {
      announce(t('channels.edit.saved'))
      close()
    },
  )
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isEmpty = draft.text.trim() === '' && message.files.length === 0
  const save = (): void => {
    if (!isEmpty && !saving.busy) void saving.run()
  }
  const handleKey = (event: KeyboardEvent): void => {
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.defaultPrevented || isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      save()
    }
  }
  return (
    <div className="relative my-1 rounded-large border border-edge bg-raised p-1.5 focus-within:border-accent">
      <MentionPicker box={box} draft={draft} onChange={setDraft} />
      <textarea
        ref={box}
        dir="auto"
        rows={1}
        value={draft.text}
        aria-label={t('channels.edit.label')}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-72 w-full resize-none bg-transparent px-2 py-1 text-written outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 ps-2">
        <p className="min-w-32 flex-1 text-small text-muted max-sm:hidden">
          {t('channels.edit.hint')}
        </p>
        <Button onClick={close}>{t('common.cancel')}</Button>
        <Button tone="primary" disabled={isEmpty} busy={saving.busy} onClick={save}>
          {t('common.save')}
        </Button>
      </div>
      {saving.problem && (
        <p role="alert" className="px-2 pt-1 text-small text-danger">
          {t('channels.edit.failed', { problem: saving.problem })}
        </p>
      )}
    </div>
  )
}
