import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Users } from '../users/index.ts'
import type { FileRow, FileStore } from './store.ts'

/** Who may read and change a file. Foreign files are missing ones to everybody else. */
export interface FileAccess {
  addReadRule(rule: (userId: string, fileId: string) => boolean): void
  canRead(userId: string, row: Pick<FileRow, 'id' | 'user_id'>): boolean
  requireReadable(caller: Caller, id: string): FileRow
  /** Rules only give reading: changing is for the owner and for administrators. */
  requireOwned(caller: Caller, id: string): FileRow
}

export const missing = () => notFound('There is no such file.')

export function createFileAccess(
  store: Pick<FileStore, 'get'>,
  users: Pick<Users, 'get'>,
): FileAccess {
  const rules: ((userId: string, fileId: string) => boolean)[] = []
  const isAdmin = (userId: string): boolean => users.get(userId)?.role === 'admin'
  const canRead: FileAccess['canRead'] = (userId, { id, user_id }) =>
    user_id === userId || isAdmin(userId) || rules.some((rule) => rule(userId, id))

  return {
    addReadRule: (rule) => void rules.push(rule),
    canRead,
    requireReadable({ userId }, id) {
      const row = store.get(id)
      if (!row || !canRead(userId, row)) throw missing()
      return row
    },
    requireOwned({ userId }, id) {
      const row = store.get(id)
      if (!row || (row.user_id !== userId && !isAdmin(userId))) throw missing()
      return row
    },
  }
}
