import { CircleAlert } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionCheck } from '#contract/connections.ts'
import { useAction } from '../../api/use-action.ts'
import { formatRecent } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'
import { AccessChoice } from './access-choice.tsx'
import { CheckResult } from './connection-check.tsx'
import { FormDoctor } from './doctor/form-doctor.tsx'
import { fromDraft, isTouched, type ConnectionDraft } from './connection-draft.ts'
import { FurtherFields, NewFields, StoredFields } from './connection-fields.tsx'
import { nameOfConnection } from './connection-name.ts'
import {
  isKeyRefused,
  keepDraft,
  saveConnection,
  tryDraft,
  type ConnectionsStore,
} from './connections-store.ts'
import type { ProviderPreset } from './presets.ts'
import { PresetMark } from './provider-mark.tsx'

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
  /** Called after saving, to close the form, with the result of the last test; null without one. */
  readonly onDone: (check: ConnectionCheck | null) => void
  /** Closes the form without saving; absent where something around it does. */
  readonly onCancel?: () => void
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

/** Says why the connection to edit does not work. */
function FaultNote({ connection }: { connection: Connection }) {
  const { t } = useTranslation()
  const { state } = connection
  if (state.status !== 'failed') return null
  const when = state.checked_at === null ? null : formatRecent(state.checked_at)
  const name = nameOfConnection(connection)
  return (
    <div className="flex items-start gap-2 rounded-medium bg-danger-soft px-3 py-2 text-danger">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 wrap-anywhere">
        {!isKeyRefused(connection) ? (
          <GatewaySentence detail={state.detail ?? ''} />
        ) : when === null ? (
          t('connections.refusedKey', { name })
        ) : (
          t('connections.refusedKeyAt', { name, when })
        )}
      </p>
    </div>
  )
}

/**
 * Adds or edits a connection. It is tested before it is saved; one that does not respond is only
 * saved when the user submits again, so that a mistyped key does not replace a good one. Closing
 * the form keeps the draft.
 */
export function ConnectionForm(props: ConnectionFormProps) {
  const { store, draftKey, existing, brief = false, preset = null, takesFocus = false } = props
  const { t } = useTranslation()
  const { draft, wasKept, put, reset } = useDraft(props)
  const [check, setCheck] = useState<ConnectionCheck | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const formId = useId()
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

  const test = async (): Promise<{ check: ConnectionCheck; draft: ConnectionDraft }> => {
    const { check: result, url } = await tryDraft(draft, id)
    const tested = url === null ? draft : { ...draft, url }
    if (url !== null) put(tested)
    setCheck(result)
    return { check: result, draft: tested }
  }
  const hasFailed = check !== null && !check.ok
  const isExamined = hasFailed && draft.url.trim() !== ''
  const saving = useAction(
    async () => {
      const isTested = check !== null || !draft.enabled
      const tested = isTested ? { check, draft } : await test()
      if (!isTested && tested.check?.ok === false) return null
      await saveConnection(store, fromDraft(tested.draft), id)
      keepDraft(store, draftKey, null)
      props.onSaved()
      return tested
    },
    (saved) => saved && props.onDone(saved.check),
  )
  const verifying = useAction(test)
  const submitLabel = existing
    ? t(
        hasFailed
          ? 'connections.saveAnyway'
          : draft.enabled
            ? 'connections.saveAndTest'
            : 'common.save',
      )
    : t(hasFailed ? 'connections.addAnyway' : 'connections.add')
  return (
    <form
      ref={form}
      id={formId}
      data-keeps-text
      onSubmit={saving.handleSubmit}
      className="flex flex-col gap-4"
    >
      {preset && !existing && <PresetHead preset={preset} />}
      {wasKept && <KeptNote onReset={reset} />}
      <FormProblem text={saving.problem ?? verifying.problem} />
      {existing && check === null && <FaultNote connection={existing} />}
      {existing ? (
        <StoredFields draft={draft} change={change} existing={existing} preset={preset} />
      ) : (
        <>
          <NewFields draft={draft} change={change} existing={null} preset={preset} />
          <AccessChoice value={draft.access} onChange={(access) => put({ ...draft, access })} />
          {!brief && <FurtherFields draft={draft} change={change} />}
        </>
      )}
      <CheckResult check={check} />
      {isExamined && (
        <FormDoctor
          draft={draft}
          id={id}
          existing={existing}
          onMend={(part) => put({ ...draft, ...part })}
        />
      )}
      <DialogActions className="justify-between">
        {!existing && (
          <Button
            busy={verifying.busy}
            disabled={!draft.url.trim()}
            onClick={() => void verifying.run()}
          >
            {t('connections.verify')}
          </Button>
        )}
        {props.onCancel && <Button onClick={props.onCancel}>{t('common.cancel')}</Button>}
        <Button tone="primary" type="submit" form={formId} busy={saving.busy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}
