import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CodeResult } from '#contract/code.ts'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { OutcomeView } from '../../ui/code-output/outcome-view.tsx'
import { readOutcome } from '../../ui/code-output/shown-outcome.ts'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { textOf, type SettingsDraft } from '../../ui/settings/settings-draft.ts'
import { type Purpose, toChanges } from './code-settings-store.ts'

interface EngineFormProps {
  readonly purpose: Purpose
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: SaveSettings
}

interface PartProps extends Omit<EngineFormProps, 'onSave'> {
  readonly draft: SettingsDraft
  readonly onChange: (part: SettingsDraft) => void
}

const ENGINES = ['pyodide', 'jupyter'] as const

function EngineChoice({ purpose, settings, draft, onChange }: PartProps) {
  const { t } = useTranslation()
  return (
    <RadioList
      legend={t('code.settings.engine')}
      disabled={settings.get(purpose.engine)?.locked === true}
      options={ENGINES.map((engine) => ({
        value: engine,
        label: t(`code.settings.engines.${engine}`),
        hint: t(`code.settings.about.${purpose.name}.${engine}`),
      }))}
      value={textOf(settings, draft, purpose.engine)}
      onChange={(engine) => onChange({ [purpose.engine]: engine })}
    />
  )
}

/** Returns the props of an input for one setting. */
const bind = ({ settings, draft, onChange }: PartProps, key: string) => ({
  disabled: settings.get(key)?.locked === true,
  spellCheck: false,
  autoComplete: 'off',
  value: textOf(settings, draft, key),
  onChange: (text: string) => onChange({ [key]: text }),
})

function ServerFields(props: PartProps) {
  const { purpose, settings, draft } = props
  const { t } = useTranslation()
  const auth = textOf(settings, draft, purpose.auth)
  const secret = auth === 'token' ? purpose.token : auth === 'password' ? purpose.password : null
  const isKept =
    secret !== null && settings.get(secret)?.is_set === true && draft[secret] === undefined
  return (
    <div className="mt-4 grid gap-4">
      <TextField
        label={t('code.settings.url')}
        type="url"
        placeholder="http://127.0.0.1:8888"
        {...bind(props, purpose.url)}
      />
      <Select
        label={t('code.settings.auth')}
        options={(['', 'token', 'password'] as const).map((value) => ({
          value,
          label: t(`code.settings.auths.${value || 'none'}`),
        }))}
        {...bind(props, purpose.auth)}
        value={auth === 'none' ? '' : auth}
      />
      {secret !== null && (
        <SecretField
          label={t(auth === 'token' ? 'code.settings.token' : 'code.settings.password')}
          placeholder={isKept ? t('settingPages.gateway.secretSet') : undefined}
          {...bind(props, secret)}
        />
      )}
      <TextField
        label={t('code.settings.timeout')}
        hint={t('code.settings.timeoutHint')}
        inputMode="numeric"
        className="max-w-40"
        {...bind(props, purpose.timeout)}
      />
    </div>
  )
}

/** Runs a line of code with the saved engine and shows the result. */
function Trial({ purpose, isChanged }: { purpose: Purpose; isChanged: boolean }) {
  const { t } = useTranslation()
  const [result, setResult] = useState<CodeResult | null>(null)
  const trial = useAction(async () => {
    setResult(null)
    setResult(await call(endpoints.code.verify, { body: { kind: purpose.name } }))
  })
  return (
    <>
      <Button busy={trial.busy} disabled={isChanged} onClick={() => void trial.run()}>
        {t('code.settings.test')}
      </Button>
      <span aria-live="polite" className="min-w-0 basis-full">
        {result && (
          <span className="mt-1 block">
            <span className="mb-1 block text-small text-muted">
              {t(`code.settings.tested.${result.engine}`, { seconds: result.seconds.toFixed(1) })}
            </span>
            <OutcomeView outcome={readOutcome(result)} code="print(6 * 7)" />
          </span>
        )}
      </span>
      <FormProblem text={trial.problem} />
    </>
  )
}

/** Engine settings of one purpose. */
export function EngineForm({ purpose, settings, onSave }: EngineFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<SettingsDraft>({})
  const changes = toChanges(settings, draft)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const save = useAction(async () => {
    if (changes) await onSave(changes)
    setDraft({})
  })
  const part: PartProps = {
    purpose,
    settings,
    draft,
    onChange: (typed) => setDraft((known) => ({ ...known, ...typed })),
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (changes && isChanged) void save.run()
      }}
    >
      <EngineChoice {...part} />
      {textOf(settings, draft, purpose.engine) === 'jupyter' && <ServerFields {...part} />}
      <FormProblem text={save.problem ?? (changes === null ? t('code.settings.noNumber') : null)} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          tone="primary"
          busy={save.busy}
          disabled={!isChanged || changes === null}
        >
          {t('common.save')}
        </Button>
        <Trial purpose={purpose} isChanged={isChanged} />
      </div>
    </form>
  )
}
