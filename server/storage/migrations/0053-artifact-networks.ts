import type { Migration } from './migration.ts'

const NETWORK = `create table artifact_network (
  chat_id text not null references chat (id) on delete cascade,
  artifact_id text not null,
  origins text not null,
  updated_at integer not null,
  primary key (chat_id, artifact_id)
) strict`

/** Other hosts that the artifacts of a chat may reach, as its owner allowed. */
export const migration: Migration = { id: '0053-artifact-networks', statements: [NETWORK] }
