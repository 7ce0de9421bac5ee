import { openStorage, type Storage, type StorageOptions } from '../storage/index.ts'

export const ROWS = 300

export const addRow = (storage: Storage, number: number) =>
  storage.run(
    storage.builder
      .insertInto('setting')
      .values({ key: `KEY_${number}`, value: JSON.stringify('x'.repeat(200)), updated_at: number }),
  )
export const readRows = (storage: Storage) =>
  storage.all(storage.builder.selectFrom('setting').selectAll().orderBy('updated_at'))

/** Returns the rows of a database that is opened only for this. */
export function openAndClose(file: string, options: Partial<StorageOptions> = {}) {
  const storage = openStorage({ path: file, ...options })
  const rows = readRows(storage)
  storage.close()
  return rows
}

/** Opens a new database and fills it with `ROWS` rows. */
export async function fillDatabase(file: string) {
  const storage = openStorage({ path: file })
  // A single transaction waits for the disk only once instead of for each row.
  await storage.transaction(async () => {
    for (let number = 0; number < ROWS; number += 1) await addRow(storage, number)
  })
  return { storage, rows: await readRows(storage) }
}
