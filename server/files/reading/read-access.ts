import { someInOrder } from '../../lib/in-order.ts'
import { notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { Users } from '../../users/index.ts'
import type { FileRow, FileStore } from '../store.ts'

/** Returns whether a user may read a file of another user, such as one in a shared collection. */
export type ReadRule = (userId: string, fileId: string) => Promise<boolean>

export const missing = () => notFound('There is no such file.')

/** Determines who may read and change a file. To all others it appears as missing. */
export class FileAccess {
  readonly #store: FileStore
  readonly #users: Users
  readonly #rules: readonly ReadRule[]

  constructor(store: FileStore, users: Users, rules: readonly ReadRule[]) {
    this.#store = store
    this.#users = users
    this.#rules = rules
  }

  async canRead(
    userId: string,
    { id, user_id }: Pick<FileRow, 'id' | 'user_id'>,
  ): Promise<boolean> {
    return (
      user_id === userId ||
      (await this.#isAdmin(userId)) ||
      (await someInOrder(this.#rules, (rule) => rule(userId, id)))
    )
  }

  /** Resolves with null for a file that does not exist for this user. */
  async findReadable(userId: string, id: string): Promise<FileRow | null> {
    const row = await this.#store.get(id)
    return row && (await this.canRead(userId, row)) ? row : null
  }

  async requireReadable({ userId }: Caller, id: string): Promise<FileRow> {
    const row = await this.findReadable(userId, id)
    if (!row) throw missing()
    return row
  }

  /** Rules only grant reading: changing is limited to the owner and to administrators. */
  async requireOwned({ userId }: Caller, id: string): Promise<FileRow> {
    const row = await this.#store.get(id)
    if (!row || (row.user_id !== userId && !(await this.#isAdmin(userId)))) throw missing()
    return row
  }

  async #isAdmin(userId: string): Promise<boolean> {
    return (await this.#users.get(userId))?.role === 'admin'
  }
}
