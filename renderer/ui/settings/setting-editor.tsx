import '../../lib/strings/setting-pages.ts'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { Button } from '../controls/button.tsx'
import { inputClasses } from '../fields/field.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'
import { SelectBox } from '../controls/select.tsx'
import { findJsonFault, layOut, nameChoice, parseSetting, toText } from './setting-value.ts'

interface SettingEditorProps {
  readonly setting: Setting
  /** Display name, if different from its key. */
  readonly label?: string
  /** Resolves with true if it was saved. */
  readonly onSave: (value: SettingValue) => Promise<boolean>
}

const MOST_ROWS = 16

const isLong = ({ type, value, default: fallback, long }: Setting): boolean =>
  long === true ||
  type === 'json' ||
  (type === 'string' &&
    [value, fallback].some((each) => typeof each === 'string' && each.includes('\n')))

const startText = ({ type, value }: Setting): string =>
  type === 'json' ? layOut(toText(value)) : toText(value)

/** Input for a text or choice setting; a changed value is saved with the adjacent button. */
export function SettingEditor({ setting, label, onSave }: SettingEditorProps) {
  const { t } = useTranslation()
  const stored = startText(setting)
  const [text, setText] = useState(stored)
  const [fault, setFault] = useState<string | null>(null)
  // Initial text, and the last one sent.
  const [known, setKnown] = useState({ stored, sent: stored })
  if (known.stored !== stored) {
    setKnown({ stored, sent: stored })
    // Text typed meanwhile is kept.
    if (text === known.stored || text === known.sent) setText(stored)
  }
  const changed = text !== stored
  const long = isLong(setting)
  // A list may hold several of them, so it stays a text.
  const choices = setting.type === 'string' ? setting.allowed : undefined
  const isNumber = setting.type === 'integer' || setting.type === 'number'
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const found = setting.type === 'json' ? findJsonFault(text) : null
    setFault(found)
    if (found !== null) return
    setKnown({ stored, sent: text })
    void onSave(parseSetting(setting.type, text)).then((isSaved) => {
      // A stored secret is never shown, so the box is cleared.
      if (isSaved && setting.secret) setText((now) => (now === text ? stored : now))
    })
  }
  const shared = {
    'aria-label': label ?? setting.key,
    disabled: setting.locked,
    value: text,
  }
  return (
    <form
      onSubmit={handleSubmit}
      className={long ? 'flex flex-col gap-2' : 'flex items-center gap-2'}
    >
      {choices ? (
        <SelectBox
          {...shared}
          onChange={setText}
          options={choices.map((each) => ({ value: each, label: nameChoice(setting, each) }))}
        />
      ) : long ? (
        <textarea
          {...shared}
          onChange={({ target }) => setText(target.value)}
          spellCheck={false}
          dir={setting.type === 'json' ? 'ltr' : 'auto'}
          rows={Math.min(MOST_ROWS, text.split('\n').length + 1)}
          className={`${inputClasses} h-auto! resize-y py-2 ${setting.type === 'json' ? 'font-mono text-code!' : ''}`}
        />
      ) : (
        <input
          {...shared}
          onChange={({ target }) => setText(target.value)}
          type={setting.secret ? 'password' : isNumber ? 'number' : 'text'}
          step={setting.type === 'number' ? 'any' : undefined}
          min={setting.minimum}
          max={setting.maximum}
          required={isNumber}
          autoComplete="off"
          placeholder={
            setting.secret && setting.is_set ? t('settingPages.gateway.secretSet') : undefined
          }
          className={inputClasses}
        />
      )}
      <FormProblem text={fault && t('settingPages.gateway.noJson', { fault })} />
      {changed && (
        <Button type="submit" tone="primary" className={long ? 'self-start' : 'h-primary'}>
          {t('common.save')}
        </Button>
      )}
    </form>
  )
}
