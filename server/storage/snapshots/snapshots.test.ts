import Sqlite from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../../testing/create-temporary-folder.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { openStorage, type Storage } from '../index.ts'
import { Snapshots } from './index.ts'
import { joinSnapshot } from './open-snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { findThinned, tidySnapshots } from './thin.ts'

const PLENTY = 1e12

function openGateway(folder = createTemporaryFolder()) {
  const database = path.join(folder, 'chat-gateway.db')
  const storage = openStorage({ path: database })
  onTestFinished(() => storage.close())
  return { folder, database, storage, snapshots: new Snapshots(database) }
}

const write = (storage: Storage, key: string, value: string): void =>
  void storage.run(
    storage.builder
      .insertInto('setting')
      .values({ key, value, updated_at: 1 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
  )

/** Returns incompressible text. */
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join('')

async function readValue(snapshots: Snapshots, id: string, key: string): Promise<unknown> {
  const file = await snapshots.open(id)
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare('select value from setting where key = ?').pluck().get(key)
  } finally {
    sqlite.close()
    rmSync(file)
  }
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

const blocksOf = (folder: string) => listFiles(path.join(folder, 'snapshots/blocks'))

const manifestOf = (folder: string, id: string): string =>
  path.join(folder, 'snapshots/list', `${id}.snapshot`)

const breakHead = (folder: string, id: string): void =>
  writeFileSync(manifestOf(folder, id), 'no description')

/** Leaves the first line of a description readable, and its lists not. */
const cutLists = (folder: string, id: string): void =>
  truncateSync(manifestOf(folder, id), statSync(manifestOf(folder, id)).size - 3)

// Each is made by a new thread, whose start takes long on a busy machine.
describe('snapshots', { timeout: 90_000 }, () => {
  it('show each the state of its time, and keep what they have in common once', async () => {
    const { folder, storage, snapshots } = openGateway()
    write(storage, 'LONG', noise(2_000_000))
    write(storage, 'NAME', 'before')
    const first = await snapshots.take('manual', PLENTY)
    write(storage, 'NAME', 'after')
    const second = await snapshots.take('manual', PLENTY)
    expect(await readValue(snapshots, first, 'NAME')).toBe('before')
    expect(await readValue(snapshots, second, 'NAME')).toBe('after')
    const [newest, oldest] = snapshots.list()
    expect([newest!.id, oldest!.id]).toEqual([second, first])
    expect(oldest!.addedBytes).toBeGreaterThan(1_500_000)
    expect(newest!.addedBytes).toBeLessThan(500_000)
    expect(await snapshots.storedBytes()).toBe(oldest!.addedBytes + newest!.addedBytes)
    expect(listFiles(path.join(folder, 'snapshots/work'))).toEqual([])
  })

  it('are opened and brought back only where there is space for them', async () => {
    const { storage, snapshots } = openGateway()
    write(storage, 'LONG', noise(2_000_000))
    const id = await snapshots.take('manual', PLENTY)
    const { statfsSync } = fs
    const leave = (bytes: number): void => {
      fs.statfsSync = (() => ({ bavail: bytes, bsize: 1 })) as never
      syncBuiltinESMExports()
    }
    onTestFinished(() => {
      fs.statfsSync = statfsSync
      syncBuiltinESMExports()
    })
    leave(1_000_000)
    const refusal = { status: 507, message: expect.stringMatching(/Free \d+ MB/) }
    await expect(snapshots.open(id)).rejects.toMatchObject(refusal)
    await expect(snapshots.prepareRestore(id)).rejects.toMatchObject(refusal)
    leave(1_000_000_000)
    expect(await readValue(snapshots, id, 'LONG')).toHaveLength(2_000_000)
  })

  it('are made when they are due and something changed', async () => {
    const { storage, snapshots } = openGateway()
    const interval = 3_600_000
    const now = Date.now()
    const takeAt = (time: number) => snapshots.takeIfDue({ interval, budget: PLENTY }, time)
    expect(await takeAt(now)).toMatch(/-hourly$/)
    expect(await takeAt(now + interval / 2)).toBeNull()
    expect(await takeAt(now + 2 * interval)).toBeNull()
    write(storage, 'NAME', 'changed')
    expect(await takeAt(now + 2.5 * interval)).toBeNull()
    expect(await takeAt(now + 3.5 * interval)).toMatch(/-hourly$/)
    expect(snapshots.list()).toHaveLength(2)
  })

  it('are made once an hour whichever way the clock is set', async () => {
    const { folder, storage, snapshots } = openGateway()
    const interval = 3_600_000
    const now = Date.now()
    const takeAt = (time: number) => snapshots.takeIfDue({ interval, budget: PLENTY }, time)
    const first = (await takeAt(now))!
    expect(await takeAt(now + 1000 * interval)).toBeNull()
    write(storage, 'NAME', 'changed')
    // Back from a time at which nothing had changed.
    expect(await takeAt(now + 2 * interval)).toMatch(/-hourly$/)
    renameSync(manifestOf(folder, first), manifestOf(folder, '2130-01-01T00-00-00-000Z-hourly'))
    write(storage, 'NAME', 'changed again')
    expect(await takeAt(Date.now() + interval / 2)).toBeNull()
  })

  it('keep uploads without taking their space twice, and give them back', async () => {
    const { folder, snapshots } = openGateway()
    const upload = path.join(folder, 'uploads/ab/abcdef')
    mkdirSync(path.join(folder, 'uploads/temporary'), { recursive: true })
    mkdirSync(path.dirname(upload))
    writeFileSync(upload, 'bytes of a file')
    writeFileSync(path.join(folder, 'uploads/temporary/unfinished'), 'half')
    await snapshots.take('manual', PLENTY)
    const kept = listFiles(path.join(folder, 'snapshots/uploads'))
    expect(kept.map((file) => path.basename(file))).toEqual(['abcdef'])
    expect(statSync(kept[0]!).ino).toBe(statSync(upload).ino)
    rmSync(upload)
    const lent = snapshots.lendUpload('abcdef')!
    expect(readFileSync(lent, 'utf8')).toBe('bytes of a file')
    expect(snapshots.lendUpload('unfinished')).toBeNull()
  })

  it('of a damaged block say so, and the next one mends what it still can', async () => {
    const { folder, storage, snapshots } = openGateway()
    write(storage, 'LONG', noise(300_000))
    const first = await snapshots.take('manual', PLENTY)
    const block = blocksOf(folder).toSorted(
      (one, other) => statSync(other).size - statSync(one).size,
    )[0]!
    const bytes = readFileSync(block)
    bytes[bytes.length >> 1]! ^= 0xff
    writeFileSync(block, bytes)
    await expect(snapshots.open(first)).rejects.toThrow(/^This snapshot is damaged: a part/)
    expect(listFiles(path.join(folder, 'snapshots/work'))).toEqual([])
    const second = await snapshots.take('manual', PLENTY)
    expect(await readValue(snapshots, second, 'LONG')).toHaveLength(300_000)
    expect(await readValue(snapshots, first, 'LONG')).toHaveLength(300_000)
  })

  it('whose own description is damaged are listed as such, and cost the others nothing', async () => {
    const { folder, storage, snapshots } = openGateway()
    write(storage, 'NAME', 'kept')
    const [broken, cut, sound] = [
      await snapshots.take('manual', PLENTY),
      await snapshots.take('manual', PLENTY),
      await snapshots.take('manual', PLENTY),
    ]
    breakHead(folder, broken)
    cutLists(folder, cut)
    await snapshots.take('manual', PLENTY)
    expect(snapshots.list().find(({ id }) => id === broken)?.fault).toMatch(/damaged/)
    await expect(snapshots.open(broken)).rejects.toThrow('damaged')
    await expect(snapshots.open(cut)).rejects.toThrow('damaged')
    expect(await readValue(snapshots, sound, 'NAME')).toBe('kept')
  })

  it('whose description is damaged give way before sound ones, and the space stays bounded', async () => {
    const { folder, storage, snapshots } = openGateway()
    const ids: string[] = []
    for (let round = 0; round < 4; round += 1) {
      write(storage, 'LONG', noise(1_000_000))
      ids.push(await snapshots.take('manual', PLENTY))
    }
    breakHead(folder, ids[3]!)
    cutLists(folder, ids[1]!)
    write(storage, 'LONG', noise(1_000_000))
    const last = await snapshots.take('manual', 2_000_000)
    expect(snapshots.list().map(({ id }) => id)).toEqual([last, ids[2]])
    expect(await snapshots.storedBytes()).toBeLessThan(2_000_000)
    expect(await readValue(snapshots, ids[2]!, 'LONG')).toHaveLength(1_000_000)
  })

  it('that are damaged are not kept as those of a day in the place of sound ones', async () => {
    const { folder, storage, snapshots } = openGateway()
    write(storage, 'NAME', 'kept')
    const sound = await snapshots.take('manual', PLENTY)
    const cut = await snapshots.take('manual', PLENTY)
    const broken = await snapshots.take('manual', PLENTY)
    cutLists(folder, cut)
    breakHead(folder, broken)
    const newest = await snapshots.take('manual', PLENTY)
    const days = 3 * 86_400_000
    tidySnapshots(path.join(folder, 'snapshots'), PLENTY, new Date(Date.now() + days))
    expect(snapshots.list().map(({ id }) => id)).toEqual([newest, broken, cut, sound])
    expect(await readValue(snapshots, sound, 'NAME')).toBe('kept')
  })

  it('are deleted one by one, with the space that only they needed', async () => {
    const { folder, storage, snapshots } = openGateway()
    write(storage, 'LONG', noise(1_000_000))
    const first = await snapshots.take('manual', PLENTY)
    write(storage, 'LONG', noise(1_000_000))
    const second = await snapshots.take('manual', PLENTY)
    const before = await snapshots.storedBytes()
    await snapshots.remove(first, PLENTY)
    expect(snapshots.list().map(({ id }) => id)).toEqual([second])
    expect(await snapshots.storedBytes()).toBeLessThan(before - 500_000)
    expect(await readValue(snapshots, second, 'LONG')).toHaveLength(1_000_000)
    breakHead(folder, second)
    await snapshots.remove(second, PLENTY)
    expect(snapshots.list()).toEqual([])
    expect(blocksOf(folder)).toEqual([])
    await expect(snapshots.remove(second, PLENTY)).rejects.toThrow('no such snapshot')
  })

  it('that are being made end with the gateway, and nothing half-made outlives the next start', async () => {
    const { folder, database, storage, snapshots } = openGateway()
    write(storage, 'LONG', noise(2_000_000))
    const first = await snapshots.take('manual', PLENTY)
    write(storage, 'LONG', noise(2_000_000))
    const taking = snapshots.take('manual', PLENTY)
    const outcome = taking.catch((error: Error) => error.message)
    await expect.poll(() => isAtWork(path.join(folder, 'snapshots')), { interval: 1 }).toBe(true)
    await snapshots.close()
    expect(await outcome).toMatch(/ended early/)
    await expect(snapshots.take('manual', PLENTY)).rejects.toThrow(/abort/i)
    const next = new Snapshots(database)
    expect(next.list().map(({ id }) => id)).toEqual([first])
    const second = await next.take('manual', PLENTY)
    expect(await readValue(next, second, 'LONG')).toHaveLength(2_000_000)
    const root = path.join(folder, 'snapshots')
    expect(listFiles(root).filter((file) => /\.new$|\/work\//.test(file))).toEqual([])
  })

  it('give way when they take more than they may, the oldest first and never the newest', async () => {
    const { folder, storage, snapshots } = openGateway()
    const ids: string[] = []
    for (let round = 0; round < 4; round += 1) {
      write(storage, 'LONG', noise(1_000_000))
      ids.push(await snapshots.take('manual', 2_000_000))
    }
    expect(snapshots.list().map(({ id }) => id)).toEqual([ids[3], ids[2]])
    expect(await snapshots.storedBytes()).toBeLessThan(2_000_000)
    const before = blocksOf(folder).length
    write(storage, 'LONG', noise(1_000_000))
    const last = await snapshots.take('manual', 1)
    expect(snapshots.list().map(({ id }) => id)).toEqual([last])
    expect(blocksOf(folder).length).toBeLessThan(before)
    expect(await readValue(snapshots, last, 'LONG')).toHaveLength(1_000_000)
  })
})

it('Snapshots thin out with age: all of a day, one a day for a month, then one a week', () => {
  const now = new Date('2026-06-30T12:00:00Z')
  const hours = Array.from({ length: 24 * 100 }, (_, index) => index)
  const snapshots = hours.map((hour): Snapshot => {
    const takenAt = new Date(now.getTime() - hour * 3_600_000)
    const sizes = { bytes: 0, databaseBytes: null, addedBytes: 0 }
    return { id: String(hour), takenAt, label: 'hourly', ...sizes, fault: null }
  })
  const thinned = new Set(findThinned(snapshots, now))
  const kept = snapshots.filter((snapshot) => !thinned.has(snapshot))
  const between = (from: number, to: number) =>
    kept.filter(({ id }) => Number(id) >= from * 24 && Number(id) < to * 24).length
  expect(between(0, 1)).toBe(24)
  expect(between(1, 30)).toBeGreaterThanOrEqual(29)
  expect(between(1, 30)).toBeLessThanOrEqual(30)
  expect(between(30, 100)).toBeGreaterThanOrEqual(10)
  expect(between(30, 100)).toBeLessThanOrEqual(11)
  expect(findThinned(kept, now)).toEqual([])
})

const here = (file: string): string =>
  JSON.stringify(pathToFileURL(path.join(import.meta.dirname, file)).href)

const SNAPSHOTS_FOREVER = `
  import { writeSync } from 'node:fs'
  import { openStorage } from ${here('../index.ts')}
  import { Snapshots } from ${here('index.ts')}
  const [path] = process.argv.slice(2)
  const storage = openStorage({ path })
  const snapshots = new Snapshots(path)
  setInterval(() => undefined, 1000)
  for (let number = 0; ; number += 1) {
    storage.run(storage.builder.replaceInto('setting').values({ key: 'KEY_' + (number % 7), value: String(Math.random()).repeat(4000), updated_at: number }))
    writeSync(1, '.')
    writeSync(1, await snapshots.take('manual', 3e6) + '\\n')
  }
`

/** Reports whether unfinished files exist. */
const isAtWork = (root: string): boolean =>
  listFiles(root).some((file) => /\.new$|copy\.db/.test(file))

describe('A process killed while it makes snapshots', () => {
  it('leaves each of them whole and nothing half, 5 times in a row', async () => {
    const folder = createTemporaryFolder(folderOnDisk())
    const database = path.join(folder, 'chat-gateway.db')
    const root = path.join(folder, 'snapshots')
    const program = path.join(folder, 'program.mjs')
    writeFileSync(program, SNAPSHOTS_FOREVER)
    let metInTheMiddle = 0
    for (let cycle = 0; cycle < 5; cycle += 1) {
      const child = spawn(process.execPath, [program, database])
      await once(child.stdout, 'data')
      child.stdout.resume()
      // First while the database is copied, then later each time.
      await expect.poll(() => isAtWork(root), { timeout: 20_000, interval: 1 }).toBe(true)
      await sleep(cycle * 20)
      child.kill('SIGKILL')
      await once(child, 'close')
      metInTheMiddle += Number(isAtWork(root))
      const snapshots = new Snapshots(database)
      for (const { id, fault } of snapshots.list().slice(0, 2)) {
        expect(fault).toBeNull()
        const target = path.join(root, 'work', 'checked.db')
        joinSnapshot(root, id, target)
        expect(findFileFault(target)).toBeNull()
        rmSync(target)
      }
    }
    expect(metInTheMiddle).toBeGreaterThan(0)
    const { snapshots } = openGateway(folder)
    await snapshots.take('manual', PLENTY)
    expect(listFiles(root).filter((file) => /\.new$|\/work\//.test(file))).toEqual([])
  }, 120_000)
})
