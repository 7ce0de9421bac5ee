import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { BuiltInFacts } from './built-in-facts.tsx'
import {
  type EngineDraft,
  type EngineKind,
  hasKey,
  toEngineDraft,
  toEngineValues,
  withKind,
} from './engine-draft.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'

const KINDS: readonly EngineKind[] = ['built-in', 'runtime', 'endpoint', 'azure']

interface EngineFormProps {
  readonly settings: readonly Setting[]
  readonly isLocked: boolean
  readonly onSave: SaveSettings
}

function KindChoice({
  value,
  isLocked,
  onChange,
}: {
  value: EngineKind
  isLocked: boolean
  onChange: (kind: EngineKind) => void
}) {
  const { t } = useTranslation()
  return (
    <RadioList
      legend={t('retrieval.engine.title')}
      disabled={isLocked}
      options={KINDS.map((kind) => ({
        value: kind,
        label: t(`retrieval.engine.kinds.${kind}`),
        hint: t(`retrieval.engine.about.${kind}`),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

interface FieldsProps {
  readonly draft: EngineDraft
  readonly keyIsSet: boolean
  readonly onChange: (part: Partial<EngineDraft>) => void
}

function Fields({ draft, keyIsSet, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { kind, model, url, key } = draft
  if (kind === 'built-in') return <BuiltInFacts />
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t('retrieval.engine.model')}
        required
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={model}
        onChange={(model) => onChange({ model })}
      />
      <TextField
        label={t('retrieval.engine.url')}
        hint={kind === 'azure' ? undefined : t(`retrieval.engine.urlHint.${kind}`)}
        required={kind === 'azure'}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={url}
        onChange={(url) => onChange({ url })}
      />
      <SecretField
        label={t('retrieval.engine.key')}
        autoComplete="off"
        placeholder={keyIsSet ? t('settingPages.gateway.secretSet') : undefined}
        value={key}
        onChange={(key) => onChange({ key })}
      />
    </div>
  )
}

/** Selects the embedding engine, and tests it before it is used. */
export function EngineForm({ settings, isLocked, onSave }: EngineFormProps) {
  const { t } = useTranslation()
  const start = toEngineDraft(settings)
  const [draft, setDraft] = useState(start)
  const [trial, setTrial] = useState<string | null>(null)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start)
  const change = (next: EngineDraft): void => {
    setTrial(null)
    setDraft(next)
  }
  const trying = useAction(async () => {
    setTrial(null)
    const { dimensions, milliseconds } = await call(endpoints.retrieval.tryEngine, {
      body: toEngineValues(draft),
    })
    setTrial(t('retrieval.engine.works', { dimensions, time: milliseconds }))
  })
  const saving = useAction(() => onSave(toEngineValues(draft)))
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={saving.problem ?? trying.problem} />
      <KindChoice
        value={draft.kind}
        isLocked={isLocked}
        onChange={(kind) => change(withKind(draft, kind, settings))}
      />
      <Fields
        draft={draft}
        keyIsSet={hasKey(settings, draft.kind)}
        onChange={(part) => change({ ...draft, ...part })}
      />
      {isLocked && <p className="text-small text-muted">{t('settingPages.gateway.locked')}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" type="submit" busy={saving.busy} disabled={isLocked || !isChanged}>
          {t('retrieval.engine.use')}
        </Button>
        <Button busy={trying.busy} onClick={() => void trying.run()}>
          {t('retrieval.engine.test')}
        </Button>
        {isChanged && (
          <span className="text-small text-muted">{t('retrieval.engine.changeHint')}</span>
        )}
        <output className="text-small">{trial}</output>
      </div>
    </form>
  )
}
