import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Automation, AutomationInput } from '#contract/automations.ts'
import { useAction } from '../../api/use-action.ts'
import { translate } from '../../lib/i18n.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { saveAutomation, type AutomationsStore } from './automations-store.ts'
import { nameOf } from './name-of.ts'
import { DEFAULT_SCHEDULE, readRule, toRule } from './plain-schedule.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** Options available to an automation. */
export interface AutomationChoices {
  readonly models: readonly { readonly id: string; readonly name: string }[]
  readonly folders: readonly { readonly id: string; readonly name: string }[]
  /** Tools available to the user; null while unknown. */
  readonly tools: readonly { readonly id: string; readonly name: string }[] | null
  readonly mayUseWeb: boolean
}

interface AutomationEditorProps {
  readonly store: AutomationsStore
  /** Automation to edit; null for a new one. */
  readonly automation: Automation | null
  readonly choices: AutomationChoices
  /** True to start a new automation with an example. */
  readonly isExample?: boolean
  readonly onClose: () => void
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

function toForm(automation: Automation | null) {
  const data = automation?.data
  return {
    name: automation?.name ?? '',
    prompt: data?.prompt ?? '',
    modelId: data?.model_id ?? '',
    folderId: data?.folder_id ?? '',
    isWebSearched: data?.web_search === true,
    toolIds: data?.tool_ids ?? [],
    schedule: automation ? readRule(data?.rrule) : DEFAULT_SCHEDULE,
    zone: data?.timezone || ownZone(),
  }
}

type Form = ReturnType<typeof toForm>

/** Returns an automation that works as it is. */
const toExample = ({ models }: AutomationChoices): Form => ({
  ...toForm(null),
  name: translate('automations.example.name'),
  prompt: translate('automations.example.prompt'),
  modelId: models[0]?.id ?? '',
})

const toInput = (form: Form, before: Automation | null): AutomationInput => ({
  name: form.name.trim(),
  data: {
    ...before?.data,
    prompt: form.prompt,
    model_id: form.modelId,
    rrule: toRule(form.schedule),
    timezone: form.zone,
    folder_id: form.folderId || null,
    web_search: form.isWebSearched,
    tool_ids: form.toolIds,
  },
})

interface FieldsProps {
  readonly form: Form
  readonly choices: AutomationChoices
  readonly onChange: (part: Partial<Form>) => void
}

/** Tools the model may use; selected ones that no longer exist can be removed. */
function ToolFields({ form, choices, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { toolIds } = form
  // A removed one stays listed, so that it can be added again until the form is closed.
  const [before] = useState(toolIds)
  const tools = choices.tools ?? []
  const lost = before.filter((id) => !tools.some((tool) => tool.id === id))
  const shown = [...tools, ...lost.map((id) => ({ id, name: id }))]
  if (choices.tools === null || shown.length === 0) return null
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('automations.tools')}</legend>
      <div className="grid max-h-48 gap-x-5 overflow-y-auto sm:grid-cols-2">
        {shown.map(({ id, name }) => (
          <label key={id} className="flex min-h-9 min-w-0 items-center gap-2">
            <Checkbox
              checked={toolIds.includes(id)}
              onChange={(isChosen) =>
                onChange({
                  toolIds: isChosen ? [...toolIds, id] : toolIds.filter((each) => each !== id),
                })
              }
            />
            <bdi className="min-w-0 truncate">{name}</bdi>
            {lost.includes(id) && (
              <span className="shrink-0 text-small text-muted">{t('automations.toolGone')}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Fields({ form, choices, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { models, folders, mayUseWeb } = choices
  const isKnown = models.some(({ id }) => id === form.modelId)
  return (
    <>
      <TextField
        label={t('automations.name')}
        data-first-focus=""
        required
        maxLength={200}
        autoComplete="off"
        value={form.name}
        onChange={(name) => onChange({ name })}
      />
      <TextArea
        label={t('automations.prompt')}
        required
        rows={5}
        maxLength={100_000}
        value={form.prompt}
        onChange={(prompt) => onChange({ prompt })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={t('automations.model')}
          required
          value={form.modelId}
          options={[
            { value: '', label: t('automations.chooseModel') },
            ...(form.modelId && !isKnown
              ? [{ value: form.modelId, label: form.modelId, isExempt: true }]
              : []),
            ...models.map(({ id, name }) => ({ value: id, label: name, isExempt: true })),
          ]}
          onChange={(modelId) => onChange({ modelId })}
        />
        {folders.length > 0 && (
          <Select
            label={t('automations.folder')}
            value={form.folderId}
            options={[
              { value: '', label: t('automations.noFolder') },
              ...folders.map(({ id, name }) => ({ value: id, label: name, isExempt: true })),
            ]}
            onChange={(folderId) => onChange({ folderId })}
          />
        )}
      </div>
      <ToolFields form={form} choices={choices} onChange={onChange} />
      {mayUseWeb && (
        <Switch
          label={t('automations.webSearch')}
          checked={form.isWebSearched}
          onChange={(isWebSearched) => onChange({ isWebSearched })}
        />
      )}
    </>
  )
}

/** Form that creates or edits an automation. */
export function AutomationEditor({
  store,
  automation,
  choices,
  isExample = false,
  onClose,
}: AutomationEditorProps) {
  const { t } = useTranslation()
  const [form, setForm] = useState(() => (isExample ? toExample(choices) : toForm(automation)))
  const change = (part: Partial<Form>): void => setForm((before) => ({ ...before, ...part }))
  const submission = useAction(
    () =>
      saveAutomation(store, {
        before: automation,
        toInput: (base) => toInput(form, base),
        toForm,
      }),
    onClose,
  )
  return (
    <FormDialog
      wide
      title={
        automation
          ? t('automations.editTitle', { name: nameOf(automation) })
          : t('automations.newTitle')
      }
      submission={submission}
      onClose={onClose}
    >
      <Fields form={form} choices={choices} onChange={change} />
      <ScheduleFields
        schedule={form.schedule}
        zone={form.zone}
        onChange={(part) => change({ schedule: { ...form.schedule, ...part } })}
        onZoneChange={(zone) => change({ zone })}
      />
    </FormDialog>
  )
}
