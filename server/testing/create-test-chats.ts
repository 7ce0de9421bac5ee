import { createChats, type Chats } from '../chats/index.ts'
import type { UserEvent } from '../events/index.ts'
import type { Route } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'
import { openStorage, type Storage } from '../storage/index.ts'
import { createTasks, type Tasks } from '../tasks/index.ts'
import { createUsers } from '../users/index.ts'

export interface TestChats {
  readonly storage: Storage
  readonly chats: Chats & { readonly routes: readonly Route[] }
  readonly tasks: Tasks
  /** Every event with the user it went to. */
  readonly emitted: (UserEvent & { userId: string })[]
  /** Makes an account and answers its id. */
  readonly addUser: (name: string) => string
}

/** Real chats on a real database, in memory unless a path is given; events are collected instead of sent. */
export function createTestChats(path = ':memory:'): TestChats {
  const storage = openStorage({ path })
  const log = createLogger('silent')
  const tasks = createTasks()
  const users = createUsers({ storage, log })
  const emitted: TestChats['emitted'] = []
  const events = { emit: (userId: string, event: UserEvent) => void emitted.push({ ...event, userId }) }
  return {
    storage,
    tasks,
    emitted,
    chats: createChats({ storage, events, tasks }),
    addUser: (name) => users.create({ name, email: `${name}@example.org`, role: 'user' }).id,
  }
}
