import type { Storage } from '../storage/index.ts'

const toText = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString('latin1') : String(value)

/** Returns the entire stored content of the database, to search for text that must not be in it. */
export async function readWholeDatabase(storage: Storage): Promise<string> {
  if (storage.engine === 'sqlite') return storage.sqlite.serialize().toString('latin1')
  const tables = await storage
    .prepare<[], string>(
      'select quote_ident(table_name) from information_schema.tables where table_schema = current_schema()',
    )
    .pluck()
    .all()
  const texts: string[] = []
  for (const table of tables)
    for (const row of await storage.prepare<[], object>(`select * from ${table}`).all())
      texts.push(...Object.values(row).map(toText))
  return texts.join('\n')
}
