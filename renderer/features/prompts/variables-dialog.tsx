import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
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
  const variables = useMemo(() => readVariables(prompt.content), [prompt.content])
  const [values, setValues] = useState(() => initialValues(variables))
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    onDone(values)
  }
  return (
    <FormDialog
      title={prompt.name}
      description={t('prompts.fillHint')}
      submission={{ handleSubmit }}
      submitLabel={t('prompts.insert')}
      onClose={onCancel}
    >
      {variables.map((variable) => (
        <VariableField
          key={variable.name}
          variable={variable}
          value={values.get(variable.name) ?? ''}
          onChange={(value) => setValues((before) => new Map(before).set(variable.name, value))}
        />
      ))}
    </FormDialog>
  )
}
