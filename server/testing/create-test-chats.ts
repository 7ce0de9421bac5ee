import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chats, type ChatsDependencies } from '../chats/index.ts'
import type { UserEvent } from '../events/index.ts'
import { newId } from '../lib/ids.ts'
import { createLogger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import { Tasks } from '../tasks/index.ts'
import { Users } from '../users/index.ts'
import { createTestStorage } from './create-test-storage.ts'

export interface TestChats {
  readonly storage: Storage
  readonly chats: Chats
  readonly tasks: Tasks
  /** All events with their recipients. */
  readonly emitted: (UserEvent & { userId: string })[]
  /** Creates an account and resolves with its id. */
  readonly addUser: (name: string) => Promise<string>
  /** Creates a folder and resolves with its id. */
  readonly addFolder: (userId: string, name: string) => Promise<string>
}

/** Without any grants; tests of sharing run the whole gateway. */
const OWNERS_ONLY: ChatsDependencies['access'] = {
  allows: async ({ userId, role }, { ownerId }) => role === 'admin' || userId === ownerId,
  describe: async () => ({ access_grants: [], access_control: {} }),
  replace: async () => undefined,
  remove: async () => undefined,
}

/**
 * Real chats on a real database, in memory unless a path is given; events are collected instead of
 * sent.
 */
export async function createTestChats(path?: string): Promise<TestChats> {
  const storage = createTestStorage(path)
  const log = createLogger('silent')
  const tasks = new Tasks()
  const users = new Users({ storage, log })
  const emitted: TestChats['emitted'] = []
  const events = {
    limits: { requireFit: () => undefined },
    emit: (userId: string, event: UserEvent) => void emitted.push({ ...event, userId }),
  }
  return {
    storage,
    tasks,
    emitted,
    chats: await Chats.open({
      storage,
      events,
      tasks,
      mostChanges: () => 100_000,
      recordBounds: () => ({ values: 50_000, characters: 6_291_456 }),
      mostMessages: () => 100_000,
      mostEventCharacters: () => 8 * 1024 * 1024,
      access: OWNERS_ONLY,
      // All permissions except the restriction to temporary chats.
      groups: { allows: async (_caller, permission) => permission !== 'chat.temporary_enforced' },
      dataDir: join(tmpdir(), newId()),
    }),
    addFolder: async (userId, name) => {
      const id = newId()
      await storage.run(
        storage.builder.insertInto('folder').values({
          id,
          user_id: userId,
          parent_id: null,
          name,
          meta: null,
          data: null,
          is_expanded: 0,
          created_at: 1,
          updated_at: 1,
        }),
      )
      return id
    },
    addUser: async (name) =>
      (await users.create({ name, email: `${name}@example.org`, role: 'user' })).id,
  }
}
