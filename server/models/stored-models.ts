import { flatMapInOrder } from '../lib/in-order.ts'
import type { Storage } from '../storage/index.ts'
import { ModelStore } from './store.ts'
import type { StoredModel } from './stored-model.ts'

/** Write operations on stored models, in one transaction. */
export interface ModelWriter {
  /** Returns the currently stored model, including changes not yet in memory. */
  get(id: string): Promise<StoredModel | undefined>
  put(model: StoredModel): Promise<void>
  remove(id: string): Promise<void>
}

/** With more changes than this at once, the whole table is read again. */
const FEW_CHANGES = 100

const inOrder = (left: StoredModel, right: StoredModel): number =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

type Kept = ReadonlyMap<string, StoredModel>

/** Returns the cached models after changes; each changed one is read again. */
async function replaceSome(
  kept: Kept,
  changed: ReadonlySet<string>,
  read: (id: string) => Promise<StoredModel | undefined>,
): Promise<Kept> {
  const others = [...kept.values()].filter(({ id }) => !changed.has(id))
  const models = [
    ...others,
    ...(await flatMapInOrder([...changed], async (id) => (await read(id)) ?? [])),
  ]
  return new Map(models.toSorted(inOrder).map((model) => [model.id, model]))
}

/** The stored models. Reads are served from memory. */
export class StoredModels {
  readonly #storage: Storage
  readonly #onChange: () => void
  readonly #store: ModelStore
  #byId: Kept = new Map()
  /** Counts the reads, so that an older read never replaces a newer one. */
  #reads = 0

  constructor({ storage, onChange }: { storage: Storage; onChange: () => void }) {
    this.#storage = storage
    this.#onChange = onChange
    this.#store = new ModelStore(storage)
  }

  /**
   * Reads all models: before the first call, and when an account was deleted, whose models stay
   * without an owner.
   */
  async load(): Promise<void> {
    const read = (this.#reads += 1)
    const models = await this.#store.list()
    if (read === this.#reads) this.#keep(new Map(models.map((model) => [model.id, model])))
  }

  all(): readonly StoredModel[] {
    return [...this.#byId.values()]
  }

  get(id: string): StoredModel | undefined {
    return this.#byId.get(id)
  }

  /** Runs writes atomically; afterwards reads the written models again. */
  async change<Result>(work: (writer: ModelWriter) => Promise<Result>): Promise<Result> {
    const changed = new Set<string>()
    const writer: ModelWriter = {
      get: (id) => this.#store.get(id),
      put: async (model) => {
        changed.add(model.id)
        await this.#store.put(model)
      },
      remove: async (id) => {
        changed.add(id)
        await this.#store.remove(id)
      },
    }
    const result = await this.#storage.transaction(() => work(writer))
    const follow = (): Promise<void> => this.#follow(changed)
    // Writes inside a transaction of the caller may still be rolled back.
    if (this.#storage.inTransaction) this.#storage.afterCommit(follow)
    else await follow()
    return result
  }

  async #follow(changed: ReadonlySet<string>): Promise<void> {
    if (changed.size > FEW_CHANGES) return this.load()
    const read = (this.#reads += 1)
    const kept = await replaceSome(this.#byId, changed, (id) => this.#store.get(id))
    if (read === this.#reads) this.#keep(kept)
    else await this.load()
  }

  #keep(kept: Kept): void {
    this.#byId = kept
    this.#onChange()
  }
}

/** True for a model that is not offered for selection; only administrators can still use it. */
export const isHidden = (model: StoredModel | null): boolean =>
  model !== null && (!model.is_active || model.meta['hidden'] === true)

/**
 * Returns a stored model as a resource for the access rules. Changes to models of connections have
 * no owner.
 */
export const toResource = ({ id, user_id, base_model_id }: StoredModel) => ({
  type: 'model' as const,
  id,
  ownerId: base_model_id === null ? '' : (user_id ?? ''),
})
