import type { Migration } from './migration.ts'

/** The gateway that builds a version of a document, so that others leave it alone. */
export const migration: Migration = {
  id: '0051-index-makers',
  statements: [],
  postgres: ['alter table retrieval_document add column maker text'],
}
