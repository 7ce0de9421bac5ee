import { someInOrder } from '../../lib/in-order.ts'
import { notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { Users } from '../../users/index.ts'
import type { FileRow, FileStore } from '../store.ts'

/** Determines who may read and change a file. To all others it appears as missing. */
export interface FileAccess {
  addReadRule(rule: (userId: string, fileId: string) => Promise<boolean>): void
  canRead(userId: string, row: Pick<FileRow, 'id' | 'user_id'>): Promise<boolean>
  /** Resolves with null for a file that does not exist for this user. */
  findReadable(userId: string, id: string): Promise<FileRow | null>
  requireReadable(caller: Caller, id: string): Promise<FileRow>
  /** Rules only grant reading: changing is limited to the owner and to administrators. */
  requireOwned(caller: Caller, id: string): Promise<FileRow>
}

export const missing = () => notFound('There is no such file.')

export function createFileAccess(
  store: Pick<FileStore, 'get'>,
  users: Pick<Users, 'get'>,
): FileAccess {
  const rules: ((userId: string, fileId: string) => Promise<boolean>)[] = []
  const isAdmin = async (userId: string): Promise<boolean> =>
    (await users.get(userId))?.role === 'admin'
  const canRead: FileAccess['canRead'] = async (userId, { id, user_id }) =>
    user_id === userId ||
    (await isAdmin(userId)) ||
    (await someInOrder(rules, (rule) => rule(userId, id)))

  const findReadable: FileAccess['findReadable'] = async (userId, id) => {
    const row = await store.get(id)
    return row && (await canRead(userId, row)) ? row : null
  }

  return {
    addReadRule: (rule) => void rules.push(rule),
    canRead,
    findReadable,
    async requireReadable({ userId }, id) {
      const row = await findReadable(userId, id)
      if (!row) throw missing()
      return row
    },
    async requireOwned({ userId }, id) {
      const row = await store.get(id)
      if (!row || (row.user_id !== userId && !(await isAdmin(userId)))) throw missing()
      return row
    },
  }
}
