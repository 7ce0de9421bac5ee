import '../../lib/strings/setting-pages.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { findJsonFault } from '../../ui/settings/setting-value.ts'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { type EngineKind, isOwnServer, keysOf, kindsOf, type Purpose } from './engine-keys.ts'
import { DraftActions } from '../../ui/settings/draft-actions.tsx'
import { SecretSettingField } from '../../ui/settings/secret-setting-field.tsx'
import {
  storedText,
  textOf,
  toValues,
  type SettingsDraft,
} from '../../ui/settings/settings-draft.ts'
import { engineOf } from './picture-draft.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { Trial } from './trial.tsx'
import { useModels } from './use-models.ts'
import { WorkflowFields } from './workflow-fields.tsx'
import { EDIT_NODE_TYPES, NODE_TYPES } from './workflow.ts'

interface PartProps {
  readonly purpose: Purpose
  readonly settings: ReadonlyMap<string, Setting>
  readonly draft: SettingsDraft
  readonly onChange: (part: SettingsDraft) => void
}

/** Returns the props of an input for one setting. */
function bind({ settings, draft, onChange }: PartProps, key: string) {
  return {
    disabled: settings.get(key)?.locked === true,
    spellCheck: false,
    autoComplete: 'off',
    value: textOf(settings, draft, key),
    onChange: (text: string) => onChange({ [key]: text }),
  }
}

function KindChoice(props: PartProps) {
  const { purpose, settings, draft, onChange } = props
  const { t } = useTranslation()
  return (
    <RadioList
      legend={t('pictures.settings.engine')}
      disabled={settings.get(purpose.engine)?.locked === true}
      options={kindsOf(purpose).map((kind) => ({
        value: kind,
        label: t(`pictures.settings.kinds.${kind}`),
        hint: t(`pictures.settings.about.${kind}`),
      }))}
      value={engineOf(settings, draft, purpose)}
      onChange={(kind) => onChange({ [purpose.engine]: kind })}
    />
  )
}

/** Input for the key of an engine, or for user name and password. */
function KeyField({ kind, name, ...props }: PartProps & { kind: EngineKind; name: string }) {
  const { t } = useTranslation()
  const isLogin = kind === 'automatic1111'
  return (
    <SecretSettingField
      {...props}
      name={name}
      label={t(isLogin ? 'pictures.settings.login' : 'pictures.settings.key')}
      hint={isLogin ? t('pictures.settings.loginHint') : undefined}
      removedHint={t('pictures.settings.keyRemoved')}
      removeLabel={t('pictures.settings.removeKey')}
    />
  )
}

const METHODS = ['', 'predict', 'generateContent'] as const

/** Rarely needed settings. */
function Further({ kind, ...props }: PartProps & { kind: EngineKind }) {
  const { t } = useTranslation()
  const { version, params, method } = props.purpose.engines[kind] ?? {}
  if (version === undefined && params === undefined && method === undefined) return null
  const fault =
    params === undefined ? null : findJsonFault(textOf(props.settings, props.draft, params) || '{}')
  return (
    <FoldOut title={t('pictures.settings.further')}>
      <div className="mt-2 grid gap-4">
        {version !== undefined && (
          <TextField
            label={t('pictures.settings.version')}
            hint={t('pictures.settings.versionHint')}
            dir="ltr"
            maxLength={100}
            {...bind(props, version)}
          />
        )}
        {method !== undefined && (
          <Select
            label={t('pictures.settings.method')}
            hint={t('pictures.settings.methodHint')}
            options={METHODS.map((value) => ({
              value,
              label: value || t('pictures.settings.methodAuto'),
              isExempt: value !== '',
            }))}
            {...bind(props, method)}
          />
        )}
        {params !== undefined && (
          <TextArea
            label={t('pictures.settings.params')}
            hint={t('pictures.settings.paramsHint')}
            rows={4}
            dir="ltr"
            className="font-mono text-code!"
            error={fault && t('settingPages.gateway.noJson', { fault })}
            {...bind(props, params)}
          />
        )}
      </div>
    </FoldOut>
  )
}

function Fields({ kind, ...props }: PartProps & { kind: EngineKind }) {
  const { purpose, settings, draft, onChange } = props
  const { t } = useTranslation()
  const listId = useId()
  const { url, key, workflow, nodes } = purpose.engines[kind]!
  const models = useModels(
    purpose.name === 'making' && storedText(settings, purpose.engine) === kind ? settings : null,
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t('pictures.settings.address')}
          hint={t(`pictures.settings.addressHint.${kind}`)}
          required
          dir="ltr"
          inputMode="url"
          maxLength={2000}
          {...bind(props, url)}
        />
        <KeyField {...props} kind={kind} name={key} />
        <TextField
          label={t('pictures.settings.model')}
          hint={t(`pictures.settings.modelHint.${kind}`)}
          dir="ltr"
          list={models.length > 0 ? listId : undefined}
          maxLength={512}
          {...bind(props, purpose.model)}
        />
        <datalist id={listId}>
          {models.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </datalist>
        <TextField
          label={t('pictures.settings.size')}
          hint={t('pictures.settings.sizeHint')}
          dir="ltr"
          placeholder="1024x1024"
          pattern="\d+x\d+|auto|"
          title={t('pictures.settings.sizeHint')}
          maxLength={100}
          {...bind(props, purpose.size)}
        />
        {purpose.steps !== null && isOwnServer(kind) && (
          <TextField
            label={t('pictures.settings.steps')}
            hint={t('pictures.settings.stepsHint')}
            type="number"
            required
            min={settings.get(purpose.steps)?.minimum}
            max={settings.get(purpose.steps)?.maximum}
            {...bind(props, purpose.steps)}
          />
        )}
      </div>
      {workflow !== undefined && nodes !== undefined && (
        <WorkflowFields
          workflow={textOf(settings, draft, workflow)}
          nodes={textOf(settings, draft, nodes)}
          types={purpose.name === 'editing' ? EDIT_NODE_TYPES : NODE_TYPES}
          isLocked={settings.get(workflow)?.locked === true}
          onChange={(part) =>
            onChange({
              ...(part.workflow !== undefined && { [workflow]: part.workflow }),
              ...(part.nodes !== undefined && { [nodes]: part.nodes }),
            })
          }
        />
      )}
      <Further {...props} kind={kind} />
    </div>
  )
}

interface EngineFormProps {
  readonly purpose: Purpose
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: SaveSettings
}

/**
 * Engine that generates or edits pictures, and its connection; saved settings can be tried
 * immediately.
 */
export function EngineForm({ purpose, settings, onSave }: EngineFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<SettingsDraft>({})
  const kind = engineOf(settings, draft, purpose)
  const keys = keysOf(purpose, kind)
  const values = toValues(settings, draft, keys)
  const isChanged = Object.keys(values).length > 0
  const saving = useAction(async () => {
    await onSave(values)
    // Text typed meanwhile is kept.
    setDraft((now) => (now === draft ? {} : now))
  })
  const props: PartProps = {
    purpose,
    settings,
    draft,
    onChange: (part) => setDraft((before) => ({ ...before, ...part })),
  }
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      <KindChoice {...props} />
      {kind === null ? (
        <p className="text-muted">{t('pictures.settings.noEngine')}</p>
      ) : (
        <Fields key={kind} {...props} kind={kind} />
      )}
      <DraftActions
        saving={saving}
        isChanged={isChanged}
        isLocked={keys.some((key) => settings.get(key)?.locked === true)}
        discardLabel={t('pictures.settings.discard')}
        unsavedText={t('pictures.settings.unsaved')}
        onDiscard={() => setDraft({})}
      />
      {kind !== null && (
        <Trial
          purpose={purpose}
          kind={kind}
          isUnsaved={isChanged}
          isOn={settings.get(purpose.isOn)?.value === true}
        />
      )}
    </form>
  )
}
