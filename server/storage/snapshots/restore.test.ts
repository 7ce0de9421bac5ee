import Sqlite from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../../testing/create-temporary-folder.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { openStorage } from '../index.ts'
import { Snapshots } from './index.ts'
import { applyRestore, placesOf } from './restore.ts'

const PLENTY = 1e12

async function set(database: string, value: string): Promise<void> {
  const storage = openStorage({ path: database })
  await storage.run(
    storage.builder.replaceInto('setting').values({ key: 'NAME', value, updated_at: 1 }),
  )
  storage.close()
}

function read(database: string): unknown {
  const sqlite = new Sqlite(database, { fileMustExist: true })
  try {
    return sqlite.prepare("select value from setting where key = 'NAME'").pluck().get()
  } finally {
    sqlite.close()
  }
}

/** Creates a data folder in which a snapshot of `before` is prepared to replace `after`. */
async function prepare(folder = createTemporaryFolder()) {
  const database = path.join(folder, 'chat-gateway.db')
  const upload = path.join(folder, 'uploads/ab/abcdef')
  mkdirSync(path.dirname(upload), { recursive: true })
  writeFileSync(upload, 'bytes')
  await set(database, 'before')
  const snapshots = new Snapshots(database)
  const id = await snapshots.take('manual', PLENTY)
  rmSync(upload)
  await set(database, 'after')
  const prepared = await snapshots.prepareRestore(id)
  return {
    folder,
    database,
    upload,
    snapshots,
    id,
    prepared,
    places: placesOf(path.join(folder, 'snapshots')),
  }
}

// Each snapshot is made by a new thread, whose start takes long on a busy machine.
describe('bringing everything back', { timeout: 90_000 }, () => {
  it('replaces the database and puts uploads back, and what was replaced becomes a snapshot', async () => {
    const { database, upload, snapshots, id, prepared, places } = await prepare()
    expect(prepared.missingUploads).toBe(0)
    prepared.commit()
    // Written after the restore was prepared.
    await set(database, 'last')
    expect(applyRestore(database)).toMatchObject({ snapshot: id, missingUploads: 0, fault: null })
    expect(read(database)).toBe('before')
    expect(readFileSync(upload, 'utf8')).toBe('bytes')
    expect(existsSync(places.restore)).toBe(false)
    expect(applyRestore(database)).toBeNull()
    expect(snapshots.lastRestore()).toMatchObject({ snapshot: id, fault: null })
    await snapshots.keepReplaced('before-restore', PLENTY)
    expect(snapshots.list()[0]!.label).toBe('before-restore')
    const kept = await snapshots.open(snapshots.list()[0]!.id)
    expect(read(kept)).toBe('last')
    expect(readdirSync(places.replaced)).toEqual([])
  })

  it('that was prepared but not decided changes nothing', async () => {
    const { database, places } = await prepare()
    expect(applyRestore(database)).toBeNull()
    expect(read(database)).toBe('after')
    expect(existsSync(places.restore)).toBe(false)
  })

  it('keeps the present where what was prepared is damaged meanwhile, and says so', async () => {
    const { database, prepared, places, snapshots } = await prepare()
    prepared.commit()
    writeFileSync(places.database, 'no database')
    expect(applyRestore(database)?.fault).toMatch(/damaged: .* Everything stayed as it was\.$/)
    expect(read(database)).toBe('after')
    expect(snapshots.lastRestore()?.fault).toMatch(/damaged/)
    expect(applyRestore(database)).toBeNull()
  })

  it('names uploads whose bytes are nowhere any more', async () => {
    const { folder, snapshots, id } = await prepare()
    rmSync(path.join(folder, 'snapshots/uploads'), { recursive: true })
    expect((await snapshots.prepareRestore(id)).missingUploads).toBe(1)
  })
})

const APPLY = `
  import { applyRestore } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'restore.ts')).href)}
  const [database, at] = process.argv.slice(2)
  applyRestore(database, undefined, (step) => step === Number(at) && process.kill(process.pid, 'SIGKILL'))
`

describe('A process killed while it brings everything back', { timeout: 120_000 }, () => {
  it('at any step is completed by the next start', async () => {
    const folder = createTemporaryFolder(folderOnDisk())
    const program = path.join(folder, 'program.mjs')
    writeFileSync(program, APPLY)
    const { database, upload, snapshots, id, places } = await prepare(folder)
    let step = 1
    for (; ; step += 1) {
      await set(database, `after ${step}`)
      rmSync(upload, { force: true })
      ;(await snapshots.prepareRestore(id)).commit()
      const child = spawn(process.execPath, [program, database, String(step)])
      await once(child, 'exit')
      if (child.signalCode !== 'SIGKILL') break
      expect(applyRestore(database)).toMatchObject({ snapshot: id, fault: null })
      expect(findFileFault(database)).toBeNull()
      expect(read(database)).toBe('before')
      expect(readFileSync(upload, 'utf8')).toBe('bytes')
      expect(existsSync(places.restore)).toBe(false)
      await snapshots.keepReplaced('before-restore', PLENTY)
      const kept = await snapshots.open(snapshots.list()[0]!.id)
      expect(read(kept)).toBe(`after ${step}`)
    }
    expect(read(database)).toBe('before')
    // The steps: uploads, two logs, the damage mark, the database, the outcome, and the end.
    expect(step).toBe(8)
  })
})
