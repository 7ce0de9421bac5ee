import type { Storage } from '../storage/index.ts'
import { ModelStore } from './store.ts'

/** A JSON object whose content only the author of the model decides. */
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

/** The writes of a change of stored models. */
export interface ModelWriter {
  put(model: StoredModel): void
  remove(id: string): void
}

/** With more changes than these at once the whole table is read again. */
const FEW_CHANGES = 100

const inOrder = (left: StoredModel, right: StoredModel): number =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

type Kept = ReadonlyMap<string, StoredModel>

/** The kept models after some were changed, each of which is read again. */
function replaceSome(
  kept: Kept,
  changed: ReadonlySet<string>,
  read: (id: string) => StoredModel | undefined,
): Kept {
  const others = [...kept.values()].filter(({ id }) => !changed.has(id))
  const models = [...others, ...[...changed].flatMap((id) => read(id) ?? [])]
  return new Map(models.toSorted(inOrder).map((model) => [model.id, model]))
}

/** The stored models. Reads are from memory. */
export class StoredModels {
  readonly #storage: Storage
  readonly #onChange: () => void
  readonly #store: ModelStore
  #byId: Kept | null = null

  constructor({ storage, onChange }: { storage: Storage; onChange: () => void }) {
    this.#storage = storage
    this.#onChange = onChange
    this.#store = new ModelStore(storage)
  }

  /** To be called when an account is gone, which leaves its models without an owner. */
  forget(): void {
    this.#keep(null)
  }

  all(): readonly StoredModel[] {
    return [...this.#models().values()]
  }

  get(id: string): StoredModel | undefined {
    return this.#models().get(id)
  }

  /** Runs writes atomically; afterwards the written models are read again. */
  change(work: (writer: ModelWriter) => void): void {
    const changed = new Set<string>()
    const writer: ModelWriter = {
      put: (model) => {
        changed.add(model.id)
        this.#store.put(model)
      },
      remove: (id) => {
        changed.add(id)
        this.#store.remove(id)
      },
    }
    try {
      this.#storage.transaction(() => work(writer))
    } catch (error) {
      this.#keep(null)
      throw error
    }
    // Writes inside the transaction of a caller may yet be rolled back.
    const isSure = changed.size <= FEW_CHANGES && !this.#storage.sqlite.inTransaction
    this.#keep(
      this.#byId && isSure ? replaceSome(this.#byId, changed, (id) => this.#store.get(id)) : null,
    )
  }

  #models(): Kept {
    return (this.#byId ??= new Map(this.#store.list().map((model) => [model.id, model])))
  }

  #keep(kept: Kept | null): void {
    this.#byId = kept
    this.#onChange()
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
