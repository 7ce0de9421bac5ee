import type { Migration } from './migration.ts'

/** PostgreSQL gets the functions anew, which read JSON with escapes that no text can hold. */
export const migration: Migration = { id: '0052-readable-json', statements: [], postgres: [] }
