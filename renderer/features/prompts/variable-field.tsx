import { ClipboardPaste } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canReadCopied, readCopied } from '../../lib/clipboard.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { CLIPBOARD, type PromptVariable } from './prompt-variables.ts'

interface VariableFieldProps {
  readonly variable: PromptVariable
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Clipboard contents, inserted by a click, or manually if the browser denies access. */
function ClipboardField({ variable, value, onChange }: VariableFieldProps) {
  const { t } = useTranslation()
  const [refused, setRefused] = useState(false)
  const paste = async (): Promise<void> => {
    try {
      onChange(await readCopied())
      setRefused(false)
    } catch {
      // Browsers ask the user, who may refuse.
      setRefused(true)
    }
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <TextArea
          label={t('prompts.clipboard')}
          hint={t('prompts.clipboardHint')}
          error={refused ? t('prompts.clipboardRefused') : null}
          required={variable.required}
          value={value}
          onChange={onChange}
        />
      </div>
      {canReadCopied() && (
        <Button icon={<ClipboardPaste className="size-4" />} onClick={() => void paste()}>
          {t('prompts.insertClipboard')}
        </Button>
      )}
    </div>
  )
}

/** Input of one variable, according to its type. */
export function VariableField({ variable, value, onChange }: VariableFieldProps) {
  const { name, kind, label, placeholder, required, options, min, max, step } = variable
  if (name === CLIPBOARD)
    return <ClipboardField variable={variable} value={value} onChange={onChange} />
  if (kind === 'checkbox') {
    return (
      <label className="flex items-center gap-2 self-start font-medium">
        <Checkbox checked={value === 'true'} onChange={(checked) => onChange(String(checked))} />
        {label}
      </label>
    )
  }
  if (kind === 'select') {
    return (
      <Select
        label={label}
        value={value}
        options={options.map((option) => ({ value: option, label: option }))}
        onChange={onChange}
      />
    )
  }
  const shared = { label, placeholder: placeholder || undefined, required, value }
  if (kind === 'textarea') return <TextArea {...shared} dir="auto" onChange={onChange} />
  return (
    <TextField
      {...shared}
      type={kind}
      {...{ min, max, step: kind === 'number' ? (step ?? 'any') : step }}
      dir="auto"
      autoComplete="off"
      onChange={onChange}
    />
  )
}
