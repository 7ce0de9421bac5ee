import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0037-connection-access',
  statements: [
    `alter table connection add column access text not null default 'granted'
      check (access in ('everybody', 'granted'))`,
  ],
}
