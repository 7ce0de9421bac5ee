import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { inputClasses } from '../../ui/field.tsx'

const SEPARATOR = ';'

const toText = (value: SettingValue): string => (Array.isArray(value) ? value.join(SEPARATOR) : value === null ? '' : String(value))

/** Reads what was typed as a value of the setting's type. */
function parseSetting(type: Setting['type'], text: string): SettingValue {
  if (type === 'integer') return Number(text)
  if (type !== 'list') return text
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
}

interface SettingEditorProps {
  readonly setting: Setting
  readonly onSave: (value: SettingValue) => void
}

/** The box for a setting that is written; a changed value is saved by the button beside it. */
export function SettingEditor({ setting, onSave }: SettingEditorProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(toText(setting.value))
  const changed = text !== toText(setting.value)
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    onSave(parseSetting(setting.type, text))
  }
  return (
    <form onSubmit={handleSubmit} className="flex items-center gap-2">
      <input
        aria-label={setting.key}
        type={setting.secret ? 'password' : setting.type === 'integer' ? 'number' : 'text'}
        autoComplete="off"
        disabled={setting.locked}
        placeholder={setting.secret && setting.is_set ? t('settings.gateway.secretSet') : undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={inputClasses}
      />
      {changed && (
        <Button type="submit" tone="primary">
          {t('common.save')}
        </Button>
      )}
    </form>
  )
}
