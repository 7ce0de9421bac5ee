import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import type { ValveCalls } from './plugin-kinds.ts'
import { readFields, type ValveField, withoutDefaults } from './valve-fields.ts'
import { ValveInput } from './valve-input.tsx'

interface ValvesFormProps {
  readonly pluginId: string
  readonly name: string
  readonly calls: ValveCalls
  readonly onClose: () => void
}

type Loaded =
  | { readonly fields: readonly ValveField[]; readonly values: Record<string, unknown> }
  | { readonly problem: string }
  | null

async function load(calls: ValveCalls, id: string): Promise<Loaded> {
  try {
    const [spec, values] = await Promise.all([calls.spec(id), calls.read(id)])
    return { fields: readFields(spec), values }
  } catch (thrown) {
    return { problem: toSentence(thrown) }
  }
}

function Fields({
  loaded,
  onClose,
  save,
}: {
  loaded: Exclude<Loaded, null | { problem: string }>
  onClose: () => void
  save: (values: Record<string, unknown>) => Promise<unknown>
}) {
  const { t } = useTranslation()
  const formId = useId()
  const [values, setValues] = useState(loaded.values)
  const { busy, problem, handleSubmit } = useAction(async () => {
    await save(withoutDefaults(loaded.fields, values))
  }, onClose)
  return (
    <form id={formId} onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      {loaded.fields.map((field) => (
        <ValveInput
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <DialogActions>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button tone="primary" type="submit" form={formId} busy={busy}>
          {t('common.save')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Form of the settings a plugin declares, generated from their schema. */
export function ValvesForm({ pluginId, name, calls, onClose }: ValvesFormProps) {
  const { t } = useTranslation()
  const [loaded, setLoaded] = useState<Loaded>(null)
  useEffect(() => {
    let isWanted = true
    void load(calls, pluginId).then((found) => isWanted && setLoaded(found))
    return () => {
      isWanted = false
    }
  }, [calls, pluginId])
  return (
    <Dialog wide onClose={onClose} title={t('plugins.valves.title', { name })}>
      {loaded === null && <PageWait />}
      {loaded && 'problem' in loaded && (
        <EmptyState title={t('plugins.valves.failed')}>{loaded.problem}</EmptyState>
      )}
      {loaded && 'fields' in loaded && loaded.fields.length === 0 && (
        <EmptyState title={t('plugins.valves.none')} />
      )}
      {loaded && 'fields' in loaded && loaded.fields.length > 0 && (
        <Fields loaded={loaded} onClose={onClose} save={(values) => calls.save(pluginId, values)} />
      )}
    </Dialog>
  )
}
