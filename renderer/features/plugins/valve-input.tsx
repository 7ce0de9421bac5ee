import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SecretField, TextArea, TextField } from '../../ui/fields/text-field.tsx'
import type { ValveField } from './valve-fields.ts'

interface ValveInputProps {
  readonly field: ValveField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

function JsonInput({ field, value, onChange }: ValveInputProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(() =>
    value === undefined ? '' : JSON.stringify(value, null, 2),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const read = (next: string): void => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : (JSON.parse(next) as unknown))
      setProblem(null)
    } catch {
      setProblem(t('plugins.valves.notJson'))
    }
  }
  return (
    <TextArea
      label={field.label}
      hint={field.hint}
      error={problem}
      value={text}
      rows={4}
      dir="ltr"
      spellCheck={false}
      placeholder={asText(field.fallback)}
      className="font-mono text-code"
      onChange={read}
    />
  )
}

/** Input of one plugin setting. An empty one uses the default, which is shown as placeholder. */
export function ValveInput(props: ValveInputProps) {
  const { t } = useTranslation()
  const { field, value, onChange } = props
  const { kind, label, hint, fallback, isRequired, isInteger } = field
  const shared = {
    label,
    hint,
    value: asText(value),
    placeholder: asText(fallback),
    required: isRequired && fallback === undefined,
  }
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        hint={hint}
        checked={(value ?? fallback) === true}
        onChange={onChange}
      />
    )
  if (kind === 'secret') return <SecretField {...shared} autoComplete="off" onChange={onChange} />
  if (kind === 'long') return <TextArea {...shared} rows={4} onChange={onChange} />
  if (kind === 'json') return <JsonInput {...props} />
  if (kind === 'select') {
    const unset = { value: '', label: t('plugins.valves.default', { value: asText(fallback) }) }
    return (
      <Select
        label={label}
        hint={hint}
        value={asText(value)}
        options={[unset, ...field.options]}
        onChange={onChange}
      />
    )
  }
  if (kind === 'number') {
    return (
      <TextField
        {...shared}
        type="number"
        step={isInteger ? 1 : 'any'}
        onChange={(text) => onChange(text === '' ? undefined : Number(text))}
      />
    )
  }
  return <TextField {...shared} onChange={onChange} />
}
