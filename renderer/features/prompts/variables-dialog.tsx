import { type FormEvent, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { initialValues, readVariables } from './prompt-variables.ts'
import { VariableField } from './variable-field.tsx'

interface VariablesDialogProps {
  readonly prompt: Pick<Prompt, 'name' | 'content'>
  readonly onDone: (values: ReadonlyMap<string, string>) => void
  readonly onCancel: () => void
}

/** Asks for the values of a prompt's variables before it is inserted into the message. */
export function VariablesDialog({ prompt, onDone, onCancel }: VariablesDialogProps) {
  const { t } = useTranslation()
  const formId = useId()
  const variables = useMemo(() => readVariables(prompt.content), [prompt.content])
  const [values, setValues] = useState(() => initialValues(variables))
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    onDone(values)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={prompt.name}
      description={t('prompts.fillHint')}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="primary" type="submit" form={formId}>
            {t('prompts.insert')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={handleSubmit} className="flex flex-col gap-4">
        {variables.map((variable) => (
          <VariableField
            key={variable.name}
            variable={variable}
            value={values.get(variable.name) ?? ''}
            onChange={(value) => setValues((before) => new Map(before).set(variable.name, value))}
          />
        ))}
      </form>
    </Dialog>
  )
}
