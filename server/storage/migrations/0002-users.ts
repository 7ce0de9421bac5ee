import type { Migration } from './migration.ts'

export const migration: Migration = { id: '0002-users', statements: [] }
