import { flatMapInOrder } from '../lib/in-order.ts'
import { KeyedLines } from '../lib/timing/keyed-lines.ts'
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
  /** Ids of models that were changed and not yet read again. */
  #unread = new Set<string>()
  #isAllUnread = false
  /** One read at a time, so that an older one never replaces a newer one. */
  readonly #reads = new KeyedLines()

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
    await this.#follow(() => (this.#isAllUnread = true))
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
    await this.#follow(() => changed.forEach((id) => this.#unread.add(id)))
    return result
  }

  async #follow(note: () => void): Promise<void> {
    const read = (): Promise<void> => {
      note()
      return this.#reads.run('', () => this.#readUnread())
    }
    // Writes inside a transaction of the caller are read once they are committed.
    if (this.#storage.inTransaction) this.#storage.afterCommit(read)
    else await read()
  }

  /**
   * Reads what all changes so far have left unread. Changes that overlap are read together: reading
   * every model for each of them would take longer with each stored model.
   */
  async #readUnread(): Promise<void> {
    const changed = this.#unread
    const isAll = this.#isAllUnread || changed.size > FEW_CHANGES
    if (!isAll && changed.size === 0) return
    this.#unread = new Set()
    this.#isAllUnread = false
    try {
      this.#keep(
        isAll
          ? new Map((await this.#store.list()).map((model) => [model.id, model]))
          : await replaceSome(this.#byId, changed, (id) => this.#store.get(id)),
      )
    } catch (error) {
      this.#isAllUnread = true
      throw error
    }
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
