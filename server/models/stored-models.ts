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
  /** Runs writes atomically; afterwards everything is read anew. */
  change(work: (writer: ModelWriter) => void): void
  /** To be called when an account is gone, which leaves its models without an owner. */
  forget(): void
}

export function createStoredModels(storage: Storage, onChange: () => void): StoredModels {
  const store = createModelStore(storage)
  let byId: ReadonlyMap<string, StoredModel> | null = null
  const models = (): ReadonlyMap<string, StoredModel> =>
    (byId ??= new Map(store.list().map((model) => [model.id, model])))
  function forget(): void {
    byId = null
    onChange()
  }
  return {
    forget,
    all: () => [...models().values()],
    get: (id) => models().get(id),
    change(work) {
      try {
        storage.transaction(() => work(store))
      } finally {
        forget()
      }
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
