import type { ModelRow } from '#contract/models.ts'
import { downloadText, toFileName } from '../../lib/download.ts'
import { translate } from '../../lib/i18n.ts'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import {
  bringBackModel,
  type CatalogueStore,
  changeConfig,
  moveId,
  removeModel,
  toggleId,
  toggleModel,
} from './catalogue-store.ts'
import { splitIds } from './models-store.ts'
import { type ModelEntry, toBaseEntries } from './list-entries.ts'
import { toExport } from './transfer-models.ts'

interface ActionParts {
  readonly store: CatalogueStore
  readonly rights: { readonly admin: boolean; readonly create: boolean; readonly export: boolean }
  readonly onOpen: (id: string) => void
  readonly onCopy: (entry: ModelEntry) => void
  readonly onChanged: () => void
}

/** Actions on a row of the models page; null if not permitted. */
export interface ModelActions {
  readonly open: (entry: ModelEntry) => void
  readonly toggle: (entry: ModelEntry) => void
  readonly copy: ((entry: ModelEntry) => void) | null
  readonly exportOne: ((row: ModelRow) => void) | null
  readonly remove: (row: ModelRow) => void
  readonly marks: {
    readonly isDefault: (id: string) => boolean
    readonly isPinned: (id: string) => boolean
    readonly toggleDefault: (id: string) => void
    readonly togglePinned: (id: string) => void
    readonly move: (id: string, step: 1 | -1) => void
  } | null
}

async function remove({ store, onChanged }: ActionParts, row: ModelRow): Promise<void> {
  await removeModel(store, row)
  onChanged()
  const bringBack = (): void => void bringBackModel(store, row).then(onChanged).catch(toastError)
  const text = row.base_model_id === null ? 'models.wasReset' : 'models.deleted'
  toast({
    text: translate(text, { name: row.name }),
    action: { label: translate('common.undo'), onSelect: bringBack },
  })
}

function toMarks({ store, onChanged }: ActionParts): NonNullable<ModelActions['marks']> {
  const config = () => store.getState().config
  const defaults = (): string[] => splitIds(config()?.DEFAULT_MODELS)
  const pinned = (): string[] => splitIds(config()?.DEFAULT_PINNED_MODELS)
  const change = (part: Parameters<typeof changeConfig>[1]): void =>
    void changeConfig(store, part).then(onChanged).catch(toastError)
  return {
    isDefault: (id) => defaults().includes(id),
    isPinned: (id) => pinned().includes(id),
    toggleDefault: (id) => change({ DEFAULT_MODELS: toggleId(defaults(), id).join(',') }),
    togglePinned: (id) => change({ DEFAULT_PINNED_MODELS: toggleId(pinned(), id).join(',') }),
    move: (id, step) => {
      const ids = toBaseEntries(store.getState()).map((entry) => entry.id)
      change({ MODEL_ORDER_LIST: moveId(ids, id, step) })
    },
  }
}

/** Returns the actions of the models page. */
export function useModelActions(parts: ActionParts): ModelActions {
  const { store, rights, onOpen, onCopy, onChanged } = parts
  return {
    open: ({ id }) => onOpen(id),
    toggle: ({ id }) => void toggleModel(store, id).then(onChanged).catch(toastError),
    copy: rights.create ? onCopy : null,
    exportOne: rights.export
      ? (row) => downloadText(toFileName(row.name, 'json'), toExport([row]), 'application/json')
      : null,
    remove: (row) => void remove(parts, row).catch(toastError),
    marks: rights.admin ? toMarks(parts) : null,
  }
}
