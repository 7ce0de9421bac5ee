import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CONNECTION_KIND_NAMES,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/connection-kinds.ts'
import type { Connection, ConnectionCheck } from '#contract/connections.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SecretField, TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { AccessChoice } from './access-choice.tsx'
import { CheckResult } from './connection-check.tsx'
import { FormDoctor } from './doctor/form-doctor.tsx'
import { fromDraft, isTouched, needsKeyAlone, type ConnectionDraft } from './connection-draft.ts'
import { variableOf } from './connection-name.ts'
import { keepDraft, saveConnection, tryDraft, type ConnectionsStore } from './connections-store.ts'
import { isRuntime, type ProviderPreset } from './presets.ts'
import { PresetMark } from './provider-mark.tsx'
import { readAddress } from './read-address.ts'

interface ConnectionFormProps {
  readonly store: ConnectionsStore
  /** Key under which its draft is stored. */
  readonly draftKey: string
  readonly start: ConnectionDraft
  /** Connection to edit; null adds one. */
  readonly existing: Connection | null
  /** Known provider to add. */
  readonly preset?: ProviderPreset | null
  /** True if the first empty field is focused. */
  readonly takesFocus?: boolean
  /** Omits rarely needed fields. */
  readonly brief?: boolean
  readonly onSaved: () => void
  /** Closes the form after saving. */
  readonly onDone: () => void
}

interface FieldsProps {
  readonly draft: ConnectionDraft
  readonly change: (part: Partial<ConnectionDraft>) => void
  readonly existing: Connection | null
}

/** Returns a hint with the resulting URL if it differs from the typed one. */
function addressHint(draft: ConnectionDraft, t: TFunction): string {
  const url = readAddress(draft.url, draft.kind)
  if (url !== '' && url !== draft.url.trim()) return t('connections.usedAs', { url })
  const { isRuntime } = CONNECTION_KINDS[draft.kind]
  return t(isRuntime ? 'connections.runtimeUrlHint' : 'connections.urlHint')
}

/** All kinds of connections, remote providers first. */
const KINDS: readonly ConnectionKind[] = CONNECTION_KIND_NAMES.toSorted(
  (one, other) =>
    Number(CONNECTION_KINDS[one].isRuntime) - Number(CONNECTION_KINDS[other].isRuntime),
)

function KindField({ draft, change, existing }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('connections.kind')}
      value={draft.kind}
      disabled={existing?.origin === 'environment'}
      onChange={(event) => change({ kind: event.target.value as ConnectionDraft['kind'] })}
      options={KINDS.map((value) => ({ value, label: t(`connections.kinds.${value}`) }))}
    />
  )
}

function AddressField({ draft, change, existing, hint }: FieldsProps & { hint?: string }) {
  const { t } = useTranslation()
  const isFixed = existing?.origin === 'environment'
  return (
    <TextField
      label={t('connections.url')}
      hint={
        isFixed
          ? t('connections.fixedHint', { variable: variableOf(draft) })
          : (hint ?? addressHint(draft, t))
      }
      inputMode="url"
      autoCapitalize="off"
      required
      disabled={isFixed}
      spellCheck={false}
      placeholder={CONNECTION_KINDS[draft.kind].exampleUrl}
      value={draft.url}
      onChange={(event) => change({ url: event.target.value })}
    />
  )
}

function KindAndAddress(props: FieldsProps) {
  return (
    <>
      <KindField {...props} />
      <AddressField {...props} />
    </>
  )
}

function KeyFields({
  draft,
  change,
  existing,
  preset,
}: FieldsProps & { preset: ProviderPreset | null }) {
  const { t } = useTranslation()
  const keyHint = existing?.has_key
    ? t('connections.keyKept', { hint: existing.key_hint ?? '' })
    : t('connections.keyHint')
  return (
    <>
      {!CONNECTION_KINDS[draft.kind].isRuntime && (
        <SecretField
          label={t('connections.key')}
          hint={
            <>
              {keyHint}
              {preset?.keyPage && (
                <>
                  {' '}
                  <a
                    href={preset.keyPage}
                    target="_blank"
                    rel="noreferrer"
                    className="text-accent-strong underline dark:text-accent"
                  >
                    {t('connections.getKey', { name: preset.name })}
                  </a>
                </>
              )}
            </>
          }
          autoComplete="off"
          required={needsKeyAlone(preset) && !existing}
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
    </>
  )
}

function NameField({ draft, change }: Omit<FieldsProps, 'existing'>) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('connections.name')}
      hint={t('connections.nameHint')}
      maxLength={100}
      value={draft.name}
      onChange={(event) => change({ name: event.target.value })}
    />
  )
}

/**
 * Required fields. A known provider needs its key, a self-hosted runtime its URL; the remaining
 * fields are collapsed.
 */
function MainFields(props: FieldsProps & { preset: ProviderPreset | null }) {
  const { t } = useTranslation()
  const { preset } = props
  if (needsKeyAlone(preset)) {
    return (
      <>
        <KeyFields {...props} />
        <FoldOut title={t('connections.nameAndAddress')}>
          <div className="mt-3 flex flex-col gap-4">
            <NameField {...props} />
            <KindAndAddress {...props} />
          </div>
        </FoldOut>
      </>
    )
  }
  if (preset && isRuntime(preset)) {
    return (
      <>
        <AddressField {...props} hint={t('connections.runtimeAt', { name: preset.name })} />
        <FoldOut title={t('connections.nameAndKey')}>
          <div className="mt-3 flex flex-col gap-4">
            <NameField {...props} />
            <KindField {...props} />
            <KeyFields {...props} />
          </div>
        </FoldOut>
      </>
    )
  }
  return (
    <>
      <KindAndAddress {...props} />
      <KeyFields {...props} />
      <NameField {...props} />
    </>
  )
}

/** Transport settings that are specific to the connection. */
function WayFields({ draft, change }: Omit<FieldsProps, 'existing'>) {
  const { t } = useTranslation()
  const { trustedCertificate: chosen } = draft
  return (
    <>
      <Switch
        label={t('connections.useProxy')}
        hint={t('connections.useProxyHint')}
        checked={draft.useProxy}
        onChange={(useProxy) => change({ useProxy })}
      />
      {chosen !== null && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-ui font-medium">{t('connections.trustedCertificate')}</p>
          <p dir="ltr" className="font-mono text-small wrap-anywhere">
            {chosen}
          </p>
          <p className="text-small text-muted">{t('connections.trustedCertificateHint')}</p>
          <Button onClick={() => change({ trustedCertificate: null })}>
            {t('connections.endTrust')}
          </Button>
        </div>
      )}
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
        <WayFields draft={draft} change={change} />
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

/** Notice about a restored draft, with a reset button. */
function KeptNote({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-medium bg-hover px-3 py-1.5 text-small">
      <span>{t('connections.kept')}</span>
      <Button tone="quiet" onClick={onReset}>
        {t('connections.startOver')}
      </Button>
    </div>
  )
}

/** Provider of the form. */
function PresetHead({ preset }: { preset: ProviderPreset }) {
  return (
    <div className="flex items-center gap-3">
      <PresetMark preset={preset} />
      <div className="min-w-0">
        <bdi className="block font-medium">{preset.name}</bdi>
        <p dir="ltr" className="truncate text-small text-muted">
          {preset.url}
        </p>
      </div>
    </div>
  )
}

/** Returns the form's draft, which survives closing it. */
function useDraft({ store, draftKey, start }: ConnectionFormProps) {
  const [draft, setDraft] = useState(() => store.getState().drafts.get(draftKey) ?? start)
  const [wasKept, setWasKept] = useState(() => isTouched(draft, start))
  const put = (next: ConnectionDraft): void => {
    setDraft(next)
    keepDraft(store, draftKey, isTouched(next, start) ? next : null)
  }
  const reset = (): void => {
    put(start)
    setWasKept(false)
  }
  return { draft, wasKept, put, reset }
}

/**
 * Adds or edits a connection. A new one is tested before it is saved; one that does not respond is
 * only saved when the user submits again. Closing the form keeps the draft.
 */
export function ConnectionForm(props: ConnectionFormProps) {
  const { store, draftKey, existing, brief = false, preset = null, takesFocus = false } = props
  const { t } = useTranslation()
  const { draft, wasKept, put, reset } = useDraft(props)
  const [check, setCheck] = useState<ConnectionCheck | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = form.current?.querySelectorAll<HTMLInputElement>('input:not([disabled])') ?? []
    const shown = [...fields].filter((field) => !field.closest('details:not([open])'))
    if (takesFocus) (shown.find((field) => !field.value) ?? shown[0])?.focus()
  }, [takesFocus])
  const id = existing?.id ?? null
  const change = (part: Partial<ConnectionDraft>): void => {
    put({ ...draft, ...part })
    setCheck(null)
  }

  const test = async (): Promise<{ isGood: boolean; draft: ConnectionDraft }> => {
    const { check: result, url } = await tryDraft(draft, id)
    const tested = url === null ? draft : { ...draft, url }
    if (url !== null) put(tested)
    setCheck(result)
    return { isGood: result.ok, draft: tested }
  }
  const hasFailed = check !== null && !check.ok
  const isExamined = hasFailed && draft.url.trim() !== ''
  const saving = useAction(
    async () => {
      const tested =
        existing || check !== null || !draft.enabled ? { isGood: true, draft } : await test()
      if (!tested.isGood) return false
      await saveConnection(store, fromDraft(tested.draft), id)
      keepDraft(store, draftKey, null)
      props.onSaved()
      return true
    },
    (isSaved) => isSaved && props.onDone(),
  )
  const verifying = useAction(test)
  return (
    <form ref={form} data-keeps-text onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      {preset && <PresetHead preset={preset} />}
      {wasKept && <KeptNote onReset={reset} />}
      <FormProblem text={saving.problem ?? verifying.problem} />
      <MainFields draft={draft} change={change} existing={existing} preset={preset} />
      <AccessChoice value={draft.access} onChange={(access) => put({ ...draft, access })} />
      {!brief && <FurtherFields draft={draft} change={change} />}
      <CheckResult check={check} />
      {isExamined && (
        <FormDoctor
          draft={draft}
          id={id}
          existing={existing}
          onMend={(part) => put({ ...draft, ...part })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 pt-1">
        <Button
          busy={verifying.busy}
          disabled={!draft.url.trim()}
          onClick={() => void verifying.run()}
        >
          {t('connections.verify')}
        </Button>
        <Button tone="primary" type="submit" busy={saving.busy}>
          {existing ? t('common.save') : t(hasFailed ? 'connections.addAnyway' : 'connections.add')}
        </Button>
      </div>
    </form>
  )
}
