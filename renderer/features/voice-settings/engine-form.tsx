import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import type { Direction, EngineField, EngineKind } from './engine-fields.ts'
import { EngineTest } from './engine-test.tsx'

/** Unsaved values, by setting key. */
type Draft = Readonly<Record<string, string | undefined>>

interface FormProps {
  readonly direction: Direction
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: (values: Readonly<Record<string, SettingValue>>) => Promise<void>
}

interface PartProps extends Pick<FormProps, 'settings'> {
  readonly draft: Draft
  readonly onChange: (part: Draft) => void
}

const storedText = (settings: FormProps['settings'], key: string): string => {
  const setting = settings.get(key)
  return setting && !setting.secret && typeof setting.value === 'string' ? setting.value : ''
}

/** Returns the values that would be saved: those that differ from the stored ones. */
function toValues(
  { settings, draft }: Pick<PartProps, 'settings' | 'draft'>,
  keys: readonly string[],
): Record<string, SettingValue> {
  const changed = keys.filter((key) => {
    const setting = settings.get(key)
    const text = draft[key]
    if (!setting || setting.locked || text === undefined) return false
    return setting.secret ? text !== '' || setting.is_set : text !== storedText(settings, key)
  })
  return Object.fromEntries(changed.map((key) => [key, draft[key]!.trim()]))
}

/** Input for a key: a stored one is never shown, but can be replaced or removed. */
function KeyField({ name, settings, draft, onChange }: PartProps & { name: string }) {
  const { t } = useTranslation()
  const setting = settings.get(name)
  const isKept = setting?.is_set === true && draft[name] === undefined
  const isRemoved = setting?.is_set === true && draft[name] === ''
  return (
    <div className="flex min-w-0 flex-col items-start gap-1 [&>div]:w-full">
      <SecretField
        label={t('voice.settings.key')}
        hint={isRemoved ? t('voice.settings.keyRemoved') : undefined}
        placeholder={isKept ? t('settingPages.gateway.secretSet') : undefined}
        disabled={setting?.locked === true}
        spellCheck={false}
        autoComplete="off"
        value={draft[name] ?? ''}
        onChange={(event) => onChange({ [name]: event.target.value || undefined })}
      />
      {isKept && !setting.locked && (
        <button
          type="button"
          className="min-h-6 rounded-small text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
          onClick={() => onChange({ [name]: '' })}
        >
          {t('voice.settings.removeKey')}
        </button>
      )}
    </div>
  )
}

function Field({ field: { name, key }, ...props }: PartProps & { field: EngineField }) {
  const { settings, draft, onChange } = props
  const { t } = useTranslation()
  if (name === 'key') return <KeyField {...props} name={key} />
  return (
    <TextField
      label={t(`voice.settings.${name}`)}
      dir="ltr"
      inputMode={name === 'address' ? 'url' : undefined}
      maxLength={name === 'address' ? 2000 : 512}
      disabled={settings.get(key)?.locked === true}
      spellCheck={false}
      autoComplete="off"
      value={draft[key] ?? storedText(settings, key)}
      onChange={(event) => onChange({ [key]: event.target.value })}
    />
  )
}

const toWord = (kind: EngineKind): string => (kind === 'none' ? '' : kind)

/** Speech or recognition engine and its connection; saved settings can be tested immediately. */
export function EngineForm({ direction, settings, onSave }: FormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Draft>({})
  const { name, engine, kinds, fields } = direction
  const word = draft[engine] ?? storedText(settings, engine)
  const kind = kinds.find((each) => toWord(each) === word) ?? null
  const shown = (kind && fields[kind]) ?? []
  const values = toValues({ settings, draft }, [engine, ...shown.map(({ key }) => key)])
  const isChanged = Object.keys(values).length > 0
  const isLocked = [engine, ...shown.map(({ key }) => key)].some((key) => settings.get(key)?.locked)
  const onChange = (part: Draft): void => setDraft((before) => ({ ...before, ...part }))
  const saving = useAction(async () => {
    await onSave(values)
    // Text typed meanwhile is kept.
    setDraft((now) => (now === draft ? {} : now))
  })
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      <RadioList
        legend={t('voice.settings.engine')}
        disabled={settings.get(engine)?.locked === true}
        options={kinds.map((each) => ({
          value: each,
          label: t(`voice.settings.kinds.${each}`),
          hint: t(
            each === 'none' ? `voice.settings.about.${name}None` : `voice.settings.about.${each}`,
          ),
        }))}
        value={kind}
        onChange={(chosen) => onChange({ [engine]: toWord(chosen) })}
      />
      {shown.length > 0 && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {shown.map((field) => (
            <Field
              key={field.key}
              field={field}
              settings={settings}
              draft={draft}
              onChange={onChange}
            />
          ))}
        </div>
      )}
      {isLocked && <p className="text-small text-muted">{t('settingPages.gateway.locked')}</p>}
      <FormProblem text={saving.problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" type="submit" busy={saving.busy} disabled={!isChanged}>
          {t('common.save')}
        </Button>
        {isChanged && (
          <>
            <Button tone="quiet" onClick={() => setDraft({})}>
              {t('voice.settings.discard')}
            </Button>
            <span className="text-small text-muted">{t('voice.settings.unsaved')}</span>
          </>
        )}
      </div>
      {word !== '' && <EngineTest direction={direction} isUnsaved={isChanged} />}
    </form>
  )
}
