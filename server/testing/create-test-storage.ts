import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStorage, type Storage } from '../storage/index.ts'

/** A fresh database in memory with the whole schema. */
export const createTestStorage = (): Storage => openStorage({ path: ':memory:' })

let schemaFile: Buffer | undefined

/** The file of a database with the whole schema and nothing in it, made once. */
function readSchemaFile(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-schema-'))
  try {
    const file = path.join(folder, 'schema.db')
    openStorage({ path: file }).close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Saves a gateway the steps of the schema, which take most of the time of its first start. */
export function writeEmptyDatabase(file: string): void {
  schemaFile ??= readSchemaFile()
  writeFileSync(file, schemaFile, { mode: 0o600 })
}
