import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0029-connection-type',
  statements: [
    "alter table connection add column connection_type text check (connection_type in ('local', 'external'))",
  ],
}
