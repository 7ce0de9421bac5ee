import type { Storage } from '../storage/index.ts'
import { createModelStore } from './store.ts'

/** A JSON object whose content belongs to whoever made the model. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * A workspace model (with a base), or what an administrator changed about a model of a connection
 * (without).
 */
export interface StoredModel {
  readonly id: string
  /** Null when the account is gone. */
  readonly user_id: string | null
  readonly base_model_id: string | null
  readonly name: string
  readonly params: Fields
  readonly meta: Fields
  readonly is_active: boolean
  readonly created_at: number
  readonly updated_at: number
}

/** What a change of stored models may do. */
export interface ModelWriter {
  put(model: StoredModel): void
  remove(id: string): void
}

/** The stored models. Reads are from memory. */
export interface StoredModels {
  all(): readonly StoredModel[]
  get(id: string): StoredModel | undefined
  /** Runs writes atomically; afterwards what was written is read anew. */
  change(work: (writer: ModelWriter) => void): void
  /** To be called when an account is gone, which leaves its models without an owner. */
  forget(): void
}

/** With more changes than these at once everything is read anew. */
const FEW_CHANGES = 100

const inOrder = (left: StoredModel, right: StoredModel): number =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

type Kept = ReadonlyMap<string, StoredModel>

/** What is kept after a change of some models, each of them read anew. */
function replaceSome(
  kept: Kept,
  changed: ReadonlySet<string>,
  read: (id: string) => StoredModel | undefined,
): Kept {
  const others = [...kept.values()].filter(({ id }) => !changed.has(id))
  const models = [...others, ...[...changed].flatMap((id) => read(id) ?? [])]
  return new Map(models.toSorted(inOrder).map((model) => [model.id, model]))
}

export function createStoredModels(storage: Storage, onChange: () => void): StoredModels {
  const store = createModelStore(storage)
  let byId: Kept | null = null
  const models = (): Kept => (byId ??= new Map(store.list().map((model) => [model.id, model])))
  const keep = (kept: Kept | null): void => {
    byId = kept
    onChange()
  }
  return {
    forget: () => keep(null),
    all: () => [...models().values()],
    get: (id) => models().get(id),
    change(work) {
      const changed = new Set<string>()
      const writer: ModelWriter = {
        put: (model) => {
          changed.add(model.id)
          store.put(model)
        },
        remove: (id) => {
          changed.add(id)
          store.remove(id)
        },
      }
      try {
        storage.transaction(() => work(writer))
      } catch (error) {
        keep(null)
        throw error
      }
      // What is written inside a transaction of somebody else may yet be taken back.
      const isSure = changed.size <= FEW_CHANGES && !storage.sqlite.inTransaction
      keep(byId && isSure ? replaceSome(byId, changed, store.get) : null)
    },
  }
}

/** A model nobody is meant to choose; only administrators can still use it. */
export const isHidden = (model: StoredModel | null): boolean =>
  model !== null && (!model.is_active || model.meta['hidden'] === true)

/**
 * A stored model as something to ask the access rules about. Changes of models of connections
 * belong to no single person.
 */
export const toResource = ({ id, user_id, base_model_id }: StoredModel) => ({
  type: 'model' as const,
  id,
  ownerId: base_model_id === null ? '' : (user_id ?? ''),
})
