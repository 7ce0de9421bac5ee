import type { Migration } from './migration.ts'

/** The proxy of outgoing requests, and the exceptions for single connections. */
export const migration: Migration = {
  id: '0045-proxies',
  statements: [
    'alter table outgoing_connection add column via text',
    'alter table connection add column use_proxy integer not null default 1',
    'alter table connection add column trusted_certificate text',
  ],
}
