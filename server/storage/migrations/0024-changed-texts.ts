import type { Migration } from './migration.ts'

/** Row numbers of messages whose text changed and is not indexed yet. */
const MESSAGE_TO_INDEX = 'create table message_to_index (seq integer primary key) strict'

export const migration: Migration = { id: '0024-changed-texts', statements: [MESSAGE_TO_INDEX] }
