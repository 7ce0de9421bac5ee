import type { Storage } from '../storage/index.ts'
import type { RetrievalCollectionTable } from '../storage/tables/knowledge.ts'

export type OwnedCollectionRow = RetrievalCollectionTable

const TABLE = 'retrieval_collection'

/** SQL on the collections of pages and texts. */
export class OwnedCollectionStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async find(userId: string, name: string): Promise<OwnedCollectionRow | null> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom(TABLE)
          .selectAll()
          .where('user_id', '=', userId)
          .where('name', '=', name),
      )) ?? null
    )
  }

  async isTaken(name: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#storage.builder.selectFrom(TABLE).select('id').where('name', '=', name).limit(1),
      )) !== undefined
    )
  }

  /** Returns the owner's collection of this name; creates it if there is none. */
  async ensure(row: OwnedCollectionRow): Promise<OwnedCollectionRow> {
    const insert = this.#storage.builder.insertInto(TABLE).values(row)
    await this.#storage.run(
      insert.onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing()),
    )
    return (await this.find(row.user_id, row.name)) ?? row
  }

  async touch(id: string, time: number): Promise<void> {
    await this.#storage.update(TABLE, id, { updated_at: time })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove(TABLE, id)
  }

  all(): Promise<OwnedCollectionRow[]> {
    return this.#storage.all(this.#storage.builder.selectFrom(TABLE).selectAll())
  }

  /** Collections whose owner's account was deleted. */
  orphans(): Promise<OwnedCollectionRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom(TABLE)
        .selectAll()
        .where(
          'user_id',
          'not in',
          this.#storage.builder.selectFrom('user').select('id').where('deleted_at', 'is', null),
        ),
    )
  }
}
