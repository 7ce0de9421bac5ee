import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionCheck } from '#contract/connections.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FoldOut } from '../../ui/fold-out.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { SecretField, TextArea, TextField } from '../../ui/text-field.tsx'
import { AccessChoice } from './access-choice.tsx'
import { CheckResult } from './connection-check.tsx'
import { fromDraft, type ConnectionDraft } from './connection-draft.ts'
import { saveConnection, verifyConnection, type ConnectionsStore } from './connections-store.ts'

interface ConnectionFormProps {
  readonly store: ConnectionsStore
  readonly start: ConnectionDraft
  /** The connection being changed; null adds one. */
  readonly existing: Connection | null
  /** Leaves out what most people never need. */
  readonly brief?: boolean
  readonly onSaved: () => void
  /** Takes the form away after saving. */
  readonly onDone: () => void
  readonly onCancel?: () => void
}

interface FieldsProps {
  readonly draft: ConnectionDraft
  readonly change: (part: Partial<ConnectionDraft>) => void
  readonly existing: Connection | null
}

function MainFields({ draft, change, existing }: FieldsProps) {
  const { t } = useTranslation()
  const isFixed = existing?.origin === 'environment'
  const urlHint =
    draft.kind === 'runtime' ? t('connections.runtimeUrlHint') : t('connections.urlHint')
  const keyHint = existing?.has_key
    ? t('connections.keyKept', { hint: existing.key_hint ?? '' })
    : t('connections.keyHint')
  return (
    <>
      <Select
        label={t('connections.kind')}
        value={draft.kind}
        disabled={isFixed}
        onChange={(event) => change({ kind: event.target.value as ConnectionDraft['kind'] })}
        options={[
          { value: 'compatible', label: t('connections.compatible') },
          { value: 'messages', label: t('connections.messages') },
          { value: 'runtime', label: t('connections.runtime') },
        ]}
      />
      <TextField
        label={t('connections.url')}
        hint={isFixed ? t('connections.fixedHint') : urlHint}
        type="url"
        required
        disabled={isFixed}
        spellCheck={false}
        placeholder={
          draft.kind === 'runtime' ? 'http://127.0.0.1:11434' : 'https://api.example.com/v1'
        }
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      {draft.kind !== 'runtime' && (
        <SecretField
          label={t('connections.key')}
          hint={keyHint}
          autoComplete="off"
          disabled={draft.removeKey}
          value={draft.key}
          onChange={(event) => change({ key: event.target.value })}
        />
      )}
      {existing?.has_key && (
        <Switch
          label={t('connections.removeKey')}
          checked={draft.removeKey}
          onChange={(removeKey) => change({ removeKey })}
        />
      )}
      <TextField
        label={t('connections.name')}
        hint={t('connections.nameHint')}
        maxLength={100}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
    </>
  )
}

function FurtherFields({ draft, change }: Omit<FieldsProps, 'existing'>) {
  const { t } = useTranslation()
  return (
    <FoldOut title={t('connections.further')}>
      <div className="mt-3 flex flex-col gap-4">
        <TextArea
          label={t('connections.models')}
          hint={t('connections.modelsHint')}
          spellCheck={false}
          value={draft.models}
          onChange={(event) => change({ models: event.target.value })}
        />
        <TextField
          label={t('connections.prefix')}
          hint={t('connections.prefixHint')}
          pattern="[\w\-]*"
          maxLength={64}
          spellCheck={false}
          value={draft.prefix}
          onChange={(event) => change({ prefix: event.target.value })}
        />
        <TextArea
          label={t('connections.headers')}
          hint={t('connections.headersHint')}
          rows={2}
          spellCheck={false}
          value={draft.headers}
          onChange={(event) => change({ headers: event.target.value })}
        />
        <TextField
          label={t('connections.timeout')}
          hint={t('connections.timeoutHint')}
          type="number"
          min={1}
          max={3600}
          value={draft.timeout}
          onChange={(event) => change({ timeout: event.target.value })}
        />
        <Switch
          label={t('connections.enabled')}
          hint={t('connections.enabledHint')}
          checked={draft.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </div>
    </FoldOut>
  )
}

/** Adds or changes a connection. It can be tried before it is saved. */
export function ConnectionForm({
  store,
  start,
  existing,
  brief = false,
  onSaved,
  onDone,
  onCancel,
}: ConnectionFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(start)
  const [check, setCheck] = useState<ConnectionCheck | null>(null)
  const id = existing?.id ?? null
  const change = (part: Partial<ConnectionDraft>): void => {
    setDraft({ ...draft, ...part })
    setCheck(null)
  }

  const saving = useAction(async () => {
    await saveConnection(store, fromDraft(draft), id)
    onSaved()
  }, onDone)
  const verifying = useAction(() => verifyConnection(fromDraft(draft), id), setCheck)
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={saving.problem ?? verifying.problem} />
      <MainFields draft={draft} change={change} existing={existing} />
      <AccessChoice value={draft.access} onChange={(access) => setDraft({ ...draft, access })} />
      {!brief && <FurtherFields draft={draft} change={change} />}
      <CheckResult check={check} />
      <div className="flex flex-wrap items-center justify-between gap-2 pt-1">
        <Button
          busy={verifying.busy}
          disabled={!draft.url.trim()}
          onClick={() => void verifying.run()}
        >
          {t('connections.verify')}
        </Button>
        <div className="flex flex-wrap items-center gap-2">
          {onCancel && (
            <Button tone="quiet" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          )}
          <Button tone="primary" type="submit" busy={saving.busy} className="h-control">
            {existing ? t('common.save') : t('connections.add')}
          </Button>
        </div>
      </div>
    </form>
  )
}
