import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { type ModelDraft, toJson, withJson } from './model-draft.ts'

interface JsonDialogProps {
  readonly draft: ModelDraft
  readonly onApply: (draft: ModelDraft) => void
  readonly onClose: () => void
}

/** Parameters and meta as text, including those without a form field. */
export function JsonDialog({ draft, onApply, onClose }: JsonDialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => toJson(draft))
  const [problem, setProblem] = useState<string | null>(null)
  const apply = (): void => {
    try {
      onApply(withJson(draft, text))
    } catch (thrown) {
      setProblem(toSentence(thrown))
    }
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('models.json.title')}
      description={t('models.json.text')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" onClick={apply}>
            {t('models.json.apply')}
          </Button>
        </>
      }
    >
      <TextArea
        label={t('models.json.label')}
        error={problem}
        rows={18}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={setText}
        className="font-mono text-code"
      />
    </Dialog>
  )
}
