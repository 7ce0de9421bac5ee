import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { addRow, fillDatabase, openAndClose, readRows, ROWS } from '../../testing/fill-database.ts'
import { backUpIfDue } from './back-up-regularly.ts'
import { createBackup, listBackups } from './backups.ts'
import { openStorage } from '../index.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = createTemporaryFolder()
  file = path.join(folder, 'chat-gateway.db')
})

describe('the daily backup', () => {
  const day = (number: number, hour = 0) => new Date(Date.UTC(2030, 0, number, hour))

  it('is taken once a day, keeps three, and does not push out those made before changes of the schema', async () => {
    const { storage, rows } = await fillDatabase(file)
    storage.close()
    const before = createBackup(file, 'before-something')
    const open = openStorage({ path: file })
    for (let number = 1; number <= 5; number += 1) {
      expect(await backUpIfDue(open, file, day(number))).not.toBeNull()
      expect(await backUpIfDue(open, file, day(number, 23))).toBeNull()
    }
    open.close()
    expect(listBackups(file).map((backup) => backup.takenAt)).toEqual([
      day(5),
      day(4),
      day(3),
      before.takenAt,
    ])
    writeFileSync(file, 'broken')
    expect(await openAndClose(file, { recovery: 'restore' })).toEqual(rows)
  })

  it('is taken once a day after one that was made while the clock was wrong', async () => {
    const { storage } = await fillDatabase(file)
    await backUpIfDue(storage, file, day(900))
    expect(await backUpIfDue(storage, file, day(1))).not.toBeNull()
    expect(await backUpIfDue(storage, file, day(1, 1))).toBeNull()
    expect(await backUpIfDue(storage, file, day(2, 1))).not.toBeNull()
    storage.close()
  })
})

describe('a database file', () => {
  it('R30: copied 20 times under load is each time sound and equal to a moment of its past', async () => {
    const { storage, rows } = await fillDatabase(file)
    let number = ROWS
    const load = setInterval(
      () =>
        void storage.transaction(async () => [
          await addRow(storage, number++),
          await addRow(storage, number++),
        ]),
      1,
    )
    const copies: string[] = []
    for (let round = 0; round < 20; round += 1) {
      copies.push(path.join(folder, `copy-${round}.db`))
      await storage.backup(copies.at(-1)!)
    }
    clearInterval(load)
    const written = await readRows(storage)
    storage.close()
    let fewest = rows.length
    for (const copy of copies) {
      file = copy
      const found = await openAndClose(file)
      expect(found.length % 2).toBe(0)
      expect(found.length).toBeGreaterThanOrEqual(fewest)
      expect(found).toEqual(written.slice(0, found.length))
      fewest = found.length
    }
  })

  it('is copied while in use, checked, and opens as it was', async () => {
    const { storage, rows } = await fillDatabase(file)
    const target = path.join(folder, 'copy.db')
    await storage.backup(target)
    await expect(storage.backup(target)).rejects.toMatchObject({ status: 409 })
    storage.close()
    expect(readdirSync(folder).toSorted()).toEqual(['chat-gateway.db', 'copy.db'])
    file = target
    expect(await openAndClose(file)).toEqual(rows)
    expect(statSync(target).mode & 0o077).toBe(0)
  })
})
