import '../../lib/strings/model-editor.ts'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArenaModel } from '#contract/evaluations.ts'
import type { Model } from '#contract/models.ts'
import { useAction } from '../../api/use-action.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { toggleId } from './catalogue-store.ts'
import { suggestId } from './model-draft.ts'

interface ArenaDialogProps {
  readonly arena: ArenaModel | null
  readonly takenIds: readonly string[]
  readonly models: readonly Model[]
  readonly principals: PrincipalLoaders
  readonly onSave: (arena: ArenaModel) => Promise<void>
  readonly onRemove: (arena: ArenaModel) => void
  readonly onClose: () => void
}

const EVERYBODY = { principal_type: 'user', principal_id: '*', permission: 'read' } as const

/** Returns an unused id. */
function freeId(name: string, taken: readonly string[]): string {
  const id = suggestId(name) || 'arena'
  if (!taken.includes(id)) return id
  for (let number = 2; ; number += 1)
    if (!taken.includes(`${id}-${number}`)) return `${id}-${number}`
}

function Contestants({
  models,
  chosen,
  onChange,
}: {
  models: readonly Model[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('modelEditor.arena.models')}</legend>
      <div className="max-h-56 overflow-y-auto rounded-medium border border-line p-1">
        {models.map((model) => (
          <label
            key={model.id}
            className="flex min-h-9 items-center gap-2 rounded-small px-2 hover:bg-hover pointer-coarse:min-h-11"
          >
            <Checkbox
              checked={chosen.includes(model.id)}
              onChange={() => onChange(toggleId(chosen, model.id))}
            />
            <bdi className="min-w-0 flex-1 truncate">{model.name}</bdi>
            <bdi className="truncate text-small text-muted">{model.connection_name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Name, contestants and access of an arena. */
export function ArenaDialog({
  arena,
  takenIds,
  models,
  principals,
  onSave,
  onRemove,
  onClose,
}: ArenaDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(arena?.name ?? '')
  const [meta, setMeta] = useState<ArenaModel['meta']>(
    arena?.meta ?? { access_grants: [EVERYBODY] },
  )
  const change = (part: Partial<ArenaModel['meta']>): void => setMeta({ ...meta, ...part })
  const saving = useAction(async () => {
    await onSave({ ...arena, id: arena?.id ?? freeId(name, takenIds), name: name.trim(), meta })
  }, onClose)
  // Without grants an arena is open to everyone.
  const grants = meta.access_grants ?? (meta.access_control ? [] : [EVERYBODY])
  return (
    <FormDialog
      wide
      title={
        arena ? t('modelEditor.arena.editOf', { name: arena.name }) : t('modelEditor.arena.add')
      }
      submission={saving}
      furtherActions={
        arena && (
          <Button
            icon={<Trash2 className="size-4" />}
            className="me-auto"
            onClick={() => {
              onClose()
              onRemove(arena)
            }}
          >
            {t('common.delete')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <TextField
        label={t('modelEditor.editor.name')}
        data-first-focus=""
        required
        maxLength={500}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <TextArea
        label={t('modelEditor.editor.description')}
        rows={2}
        maxLength={10_000}
        value={meta.description ?? ''}
        onChange={(value) => change({ description: value || null })}
      />
      <Select
        label={t('modelEditor.arena.mode')}
        options={[
          { value: 'include', label: t('modelEditor.arena.include') },
          { value: 'exclude', label: t('modelEditor.arena.exclude') },
        ]}
        value={meta.filter_mode ?? 'include'}
        onChange={(value) => change({ filter_mode: value as 'include' | 'exclude' })}
      />
      <Contestants
        models={models}
        chosen={meta.model_ids ?? []}
        onChange={(model_ids) => change({ model_ids })}
      />
      <section aria-label={t('access.title')} className="border-t border-line pt-4">
        <h2 className="mb-3 text-head-1 font-semibold">{t('access.title')}</h2>
        <AccessPicker
          grants={grants}
          loaders={principals}
          canWrite={false}
          onChange={(access_grants) => change({ access_grants })}
        />
      </section>
    </FormDialog>
  )
}
