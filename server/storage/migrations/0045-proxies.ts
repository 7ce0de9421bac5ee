import type { Migration } from './migration.ts'

/** The proxy of what left this computer, and what is different for one connection. */
export const migration: Migration = {
  id: '0045-proxies',
  statements: [
    'alter table outgoing_connection add column via text',
    'alter table connection add column use_proxy integer not null default 1',
    'alter table connection add column trusted_certificate text',
  ],
}
