import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'
import { TextArea } from '../text-field.tsx'

/** Says in words what should change in a picture. */
export function EditForm({
  onMake,
  onCancel,
}: {
  onMake: (prompt: string) => void
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const [prompt, setPrompt] = useState('')
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (prompt.trim() !== '') onMake(prompt.trim())
  }
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-2">
      <TextArea
        label={t('pictures.viewer.change')}
        placeholder={t('pictures.viewer.changePlaceholder')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just asked for
        autoFocus
        required
        rows={2}
        dir="auto"
        maxLength={100_000}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing)
            handleSubmit(event)
        }}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button tone="quiet" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" tone="primary" className="h-control" disabled={prompt.trim() === ''}>
          {t('pictures.viewer.make')}
        </Button>
      </div>
    </form>
  )
}
