import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { RadioList } from '../../ui/controls/radio.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { Direction, EngineField, EngineKind } from './engine-fields.ts'
import { DraftActions } from '../../ui/settings/draft-actions.tsx'
import { SecretSettingField } from '../../ui/settings/secret-setting-field.tsx'
import { textOf, toValues, type SettingsDraft } from '../../ui/settings/settings-draft.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { EngineTest } from './engine-test.tsx'

interface FormProps {
  readonly direction: Direction
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: SaveSettings
}

interface PartProps extends Pick<FormProps, 'settings'> {
  readonly draft: SettingsDraft
  readonly onChange: (part: SettingsDraft) => void
}

function Field({ field: { name, key }, ...props }: PartProps & { field: EngineField }) {
  const { settings, draft, onChange } = props
  const { t } = useTranslation()
  if (name === 'key')
    return (
      <SecretSettingField
        {...props}
        name={key}
        label={t('voice.settings.key')}
        removedHint={t('voice.settings.keyRemoved')}
        removeLabel={t('voice.settings.removeKey')}
      />
    )
  return (
    <TextField
      label={t(`voice.settings.${name}`)}
      dir="ltr"
      inputMode={name === 'address' ? 'url' : undefined}
      maxLength={name === 'address' ? 2000 : 512}
      disabled={settings.get(key)?.locked === true}
      spellCheck={false}
      autoComplete="off"
      value={textOf(settings, draft, key)}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
}

const toWord = (kind: EngineKind): string => (kind === 'none' ? '' : kind)

/** Speech or recognition engine and its connection; saved settings can be tested immediately. */
export function EngineForm({ direction, settings, onSave }: FormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<SettingsDraft>({})
  const { name, engine, kinds, fields } = direction
  const word = textOf(settings, draft, engine)
  const kind = kinds.find((each) => toWord(each) === word) ?? null
  const shown = (kind && fields[kind]) ?? []
  const keys = [engine, ...shown.map(({ key }) => key)]
  const values = toValues(settings, draft, keys)
  const isChanged = Object.keys(values).length > 0
  const onChange = (part: SettingsDraft): void => setDraft((before) => ({ ...before, ...part }))
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
      <DraftActions
        saving={saving}
        isChanged={isChanged}
        isLocked={keys.some((key) => settings.get(key)?.locked === true)}
        discardLabel={t('voice.settings.discard')}
        unsavedText={t('voice.settings.unsaved')}
        onDiscard={() => setDraft({})}
      />
      {word !== '' && <EngineTest direction={direction} isUnsaved={isChanged} />}
    </form>
  )
}
