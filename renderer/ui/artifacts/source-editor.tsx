import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'

interface SourceEditorProps {
  readonly source: string
  readonly isSaving: boolean
  readonly onSave: (source: string) => void
  readonly onCancel: () => void
}

/** Editor of the source; each save creates a separate version. Escape discards the changes. */
export function SourceEditor({ source, isSaving, onSave, onCancel }: SourceEditorProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(source)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(0, 0)
  }, [])
  const isChanged = draft !== source && draft.trim() !== ''
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isChanged) {
      event.preventDefault()
      onSave(draft)
    }
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-3">
      <textarea
        ref={box}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        value={draft}
        aria-label={t('artifacts.edit.label')}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={handleKey}
        className="min-h-0 flex-1 resize-none rounded-medium border border-edge bg-raised p-3 font-mono text-ui whitespace-pre outline-offset-[-2px]"
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('artifacts.edit.cancel')}</Button>
        <Button tone="primary" busy={isSaving} disabled={!isChanged} onClick={() => onSave(draft)}>
          {t('artifacts.edit.save')}
        </Button>
      </div>
    </div>
  )
}
