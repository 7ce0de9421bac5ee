import type { Compilable } from 'kysely'
import type { PreparedQuery } from '../../storage/sqlite/prepared-query.ts'
import type { Storage } from '../../storage/index.ts'

/** Number of chats of a user from which a statement that reads all of them may take long. */
const MANY = 3000

/** Reads all chats of a user: off the event loop if there are many. */
export class ManyChatsStore {
  readonly #storage: Storage
  readonly #countSome

  constructor(storage: Storage) {
    this.#storage = storage
    this.#countSome = storage
      .prepare<[string], number>(
        `select count(*) from (select 1 from chat where user_id = ? limit ${MANY}) counted`,
      )
      .pluck()
  }

  async read<Row>(userId: string, query: Compilable<Row>): Promise<Row[]> {
    return (await this.#hasMany(userId)) ? this.#storage.allBeside(query) : this.#storage.all(query)
  }

  /** Same as `read`, for a statement whose only parameter is the user. */
  async values<Value>(userId: string, query: PreparedQuery<[string], Value>): Promise<Value[]> {
    return (await this.#hasMany(userId)) ? query.allBeside(userId) : query.all(userId)
  }

  async #hasMany(userId: string): Promise<boolean> {
    return (await this.#countSome.get(userId)) === MANY
  }
}
