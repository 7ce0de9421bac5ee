import { migration as settings } from './0001-settings.ts'
import { migration as users } from './0002-users.ts'
import { migration as connections } from './0003-connections.ts'
import { migration as chats } from './0004-chats.ts'
import type { Migration } from './migration.ts'

/** Every step in the order it is applied. */
export const migrations: readonly Migration[] = [settings, users, connections, chats]
