import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../../config/start-error.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { addRow, fillDatabase, openAndClose, readRows, ROWS } from '../../testing/fill-database.ts'
import { createBackup } from '../backups/backups.ts'
import { watchIntegrity } from './check-integrity.ts'
import { damageMarkOf } from './damage-mark.ts'
import { DamagedDatabaseError, isDamage } from '../errors.ts'
import { findFileFault } from './find-fault.ts'
import { openStorage, type StorageOptions } from '../index.ts'
import { migrations } from '../migrations/all.ts'

const PAGE = 4096

let folder: string
let file: string

beforeEach(() => {
  folder = createTemporaryFolder()
  file = path.join(folder, 'chat-gateway.db')
})

async function catchDamage(options: Partial<StorageOptions> = {}): Promise<DamagedDatabaseError> {
  try {
    await openAndClose(file, options)
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return error
    throw error
  }
  throw new Error('the database was taken for sound')
}

const snapshot = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [
      entry.name,
      readFileSync(path.join(entry.parentPath, entry.name)).toString('latin1'),
    ])

describe('R9: a damaged database', () => {
  const damages: [string, (bytes: Buffer) => Buffer | null][] = [
    ['has zero bytes', () => Buffer.alloc(0)],
    ['is shorter than a header', (bytes) => bytes.subarray(0, 60)],
    ['has another beginning', (bytes) => Buffer.concat([Buffer.from('oops'), bytes.subarray(4)])],
    ['is all zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['is cut off', (bytes) => bytes.subarray(0, bytes.length - PAGE)],
    ['is cut off within a page', (bytes) => bytes.subarray(0, bytes.length - 100)],
    ['is a text file', () => Buffer.from('hello '.repeat(5000))],
    [
      'has its schema overwritten',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, 100),
          Buffer.alloc(PAGE - 100, 0xff),
          bytes.subarray(PAGE),
        ]),
    ],
    ['is gone while there are backups', () => null],
  ]

  it.each(damages)(
    'that %s is not opened, not changed, and the backups are offered',
    async (_words, damage) => {
      ;(await fillDatabase(file)).storage.close()
      const backup = createBackup(file, 'test')
      const damaged = damage(readFileSync(file))
      if (damaged) writeFileSync(file, damaged)
      else rmSync(file)
      const before = snapshot()
      const error = await catchDamage()
      expect(error).toMatchObject({ reason: 'damaged', path: file, choices: ['restore', 'fresh'] })
      expect(error.backups).toEqual([backup])
      expect(error.message).toContain(file)
      expect(error.message).toMatch(/DATABASE_RECOVERY=restore .* DATABASE_RECOVERY=fresh/)
      expect(snapshot()).toEqual(before)
      expect((await catchDamage()).fault).toBe(error.fault)
    },
  )

  it('offers only an empty start when there is no sound backup', async () => {
    ;(await fillDatabase(file)).storage.close()
    const backup = createBackup(file, 'test')
    writeFileSync(backup.path, 'not a backup')
    writeFileSync(file, '')
    expect((await catchDamage()).choices).toEqual(['fresh'])
    expect(() => openAndClose(file, { recovery: 'restore' })).toThrow(/no sound backup/)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('is recognised as the file of another program, which is never touched', async () => {
    const foreign = openStorage({ path: path.join(folder, 'other.db') })
    foreign.sqlite.pragma('application_id = 7')
    foreign.close()
    copyFileSync(path.join(folder, 'other.db'), file)
    expect((await catchDamage()).fault).toBe('it belongs to another program')
  })

  it('goes to the quarantine and the newest sound backup comes back', async () => {
    const { storage, rows } = await fillDatabase(file)
    storage.close()
    createBackup(file, 'good')
    writeFileSync(createBackup(file, 'bad').path, 'not a backup')
    const broken = Buffer.concat([readFileSync(file).subarray(0, PAGE), Buffer.from('rest')])
    writeFileSync(file, broken)
    writeFileSync(`${file}-wal`, 'not a log, but longer than its header would be')
    expect(await openAndClose(file, { recovery: 'restore' })).toEqual(rows)
    const [quarantine] = readdirSync(path.join(folder, 'quarantine'))
    expect(readFileSync(path.join(folder, 'quarantine', quarantine!, 'chat-gateway.db'))).toEqual(
      broken,
    )
    expect(readdirSync(path.join(folder, 'quarantine', quarantine!)).toSorted()).toEqual([
      'chat-gateway.db',
      'chat-gateway.db-wal',
    ])
    expect(await openAndClose(file)).toEqual(rows)
  })

  it('goes to the quarantine and an empty one begins, when that was chosen', async () => {
    ;(await fillDatabase(file)).storage.close()
    createBackup(file, 'good')
    writeFileSync(file, 'broken')
    expect(await openAndClose(file, { recovery: 'fresh' })).toEqual([])
    expect(readdirSync(path.join(folder, 'quarantine'))).toHaveLength(1)
  })

  it('is left alone when it is sound, whatever choice is still set', async () => {
    const { storage, rows } = await fillDatabase(file)
    storage.close()
    expect(await openAndClose(file, { recovery: 'fresh' })).toEqual(rows)
    expect(existsSync(path.join(folder, 'quarantine'))).toBe(false)
  })
})

describe('R9: a broken log beside a whole database', () => {
  /**
   * Leaves some rows in the database and as many in its log only, as a killed process does, and
   * damages the log.
   */
  async function breakLog(breakIt: (log: Buffer) => Buffer) {
    const { storage, rows } = await fillDatabase(file)
    storage.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    for (let number = ROWS; number < 2 * ROWS; number += 1) await addRow(storage, number)
    const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    storage.close()
    writeFileSync(file, database)
    writeFileSync(`${file}-wal`, breakIt(log))
    return rows
  }

  const broken = (log: Buffer): Buffer => Buffer.concat([Buffer.from('oops'), log.subarray(4)])

  it.each([
    ['header', broken],
    ['middle', (log: Buffer) => Buffer.from(log).fill(0xa5, 20 * PAGE, 21 * PAGE)],
  ])(
    'with a broken %s offers to go on without the log, which is then set aside alone',
    async (_words, breakIt) => {
      const rows = await breakLog(breakIt)
      const before = snapshot()
      const error = await catchDamage()
      expect(error.choices).toEqual(['without-log', 'fresh'])
      expect(error.message).toContain('DATABASE_RECOVERY=without-log')
      expect(snapshot()).toEqual(before)
      expect(await openAndClose(file, { recovery: 'without-log' })).toEqual(rows)
      const [quarantine] = readdirSync(path.join(folder, 'quarantine'))
      expect(readdirSync(path.join(folder, 'quarantine', quarantine!))).toEqual([
        'chat-gateway.db-wal',
      ])
      expect(await openAndClose(file)).toEqual(rows)
    },
  )

  it.each(['-wal', '-shm'])(
    'that is a folder (%s) is told, and set aside alone',
    async (suffix) => {
      const { storage, rows } = await fillDatabase(file)
      storage.close()
      mkdirSync(`${file}${suffix}`)
      const error = await catchDamage()
      expect(error.message).toContain(
        `${file}${suffix}, is not a file. Nothing was changed. Start again with DATABASE_RECOVERY=without-log`,
      )
      expect(await openAndClose(file, { recovery: 'without-log' })).toEqual(rows)
      const [quarantine] = readdirSync(path.join(folder, 'quarantine'))
      expect(readdirSync(path.join(folder, 'quarantine', quarantine!))).toEqual([
        `chat-gateway.db${suffix}`,
      ])
      expect(await openAndClose(file)).toEqual(rows)
    },
  )

  it('is not set aside where the database is damaged too', async () => {
    await breakLog(broken)
    writeFileSync(file, readFileSync(file).fill(0xa5, 2 * PAGE, 3 * PAGE))
    const before = snapshot()
    expect((await catchDamage({ recovery: 'without-log' })).choices).toEqual(['fresh'])
    expect(snapshot()).toEqual(before)
  })
})

describe('R9: the full check', () => {
  function damageDeepPage() {
    const bytes = readFileSync(file)
    bytes.fill(0xa5, bytes.length - PAGE, bytes.length - PAGE + 40)
    writeFileSync(file, bytes)
  }

  it('finds nothing in a sound database that is in use', async () => {
    const { storage } = await fillDatabase(file)
    await watchIntegrity(file, (fault) => expect.unreachable(fault))
    expect(existsSync(damageMarkOf(file))).toBe(false)
    storage.close()
  })

  it('finds what the start did not see, in another thread, and the next start stops with the choices', async () => {
    ;(await fillDatabase(file)).storage.close()
    createBackup(file, 'good')
    damageDeepPage()
    const storage = openStorage({ path: file })
    const faults: string[] = []
    await watchIntegrity(file, (fault) => faults.push(fault))
    storage.close()
    expect(faults).toHaveLength(1)
    expect(await catchDamage()).toMatchObject({ fault: faults[0], choices: ['restore', 'fresh'] })
    expect(await openAndClose(file, { recovery: 'restore' })).toHaveLength(ROWS)
    expect(await openAndClose(file)).toHaveLength(ROWS)
  })

  it('forgets a fault when the file was mended', async () => {
    const { storage, rows } = await fillDatabase(file)
    storage.close()
    writeFileSync(damageMarkOf(file), 'a fault of the past')
    expect(await openAndClose(file)).toEqual(rows)
    expect(existsSync(damageMarkOf(file))).toBe(false)
  })

  it('finds a letter changed in the definition of a table', async () => {
    ;(await fillDatabase(file)).storage.close()
    const bytes = readFileSync(file, 'latin1')
    writeFileSync(file, bytes.replaceAll('key text primary key', 'kex text primary key'), 'latin1')
    expect(findFileFault(file)).toContain('setting')
  })
})

describe('R9: 500 variants', () => {
  /**
   * Creates a folder as a killed process leaves it: part of the rows in the database, part in its
   * log only.
   */
  async function prepareKilled() {
    const { storage } = await fillDatabase(file)
    storage.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    for (let number = ROWS; number < 2 * ROWS; number += 1) await addRow(storage, number)
    const rows = await readRows(storage)
    const killed = path.join(folder, 'killed')
    mkdirSync(killed)
    for (const name of ['chat-gateway.db', 'chat-gateway.db-wal'])
      copyFileSync(path.join(folder, name), path.join(killed, name))
    storage.close()
    return { rows, killed, log: readFileSync(path.join(killed, 'chat-gateway.db-wal')) }
  }

  type Outcome =
    | 'refused'
    | 'found when read'
    | 'found by the full check'
    | Awaited<ReturnType<typeof readRows>>

  async function openVariant(
    killed: string,
    change: { name: string; bytes: Buffer },
  ): Promise<Outcome> {
    const place = path.join(folder, 'variant')
    cpSync(killed, place, { recursive: true })
    file = path.join(place, 'chat-gateway.db')
    writeFileSync(path.join(place, change.name), change.bytes)
    try {
      const rows = await openAndClose(file)
      return findFileFault(file) === null ? rows : 'found by the full check'
    } catch (error) {
      if (error instanceof StartError) return 'refused'
      if (isDamage(error)) return 'found when read'
      throw error
    } finally {
      rmSync(place, { recursive: true })
    }
  }

  it('reads an undamaged folder of a killed process completely', async () => {
    const { killed, rows, log } = await prepareKilled()
    expect(await openVariant(killed, { name: 'chat-gateway.db-wal', bytes: log })).toEqual(rows)
  })

  it('of a flipped byte in the log never lose an acknowledged row silently, the last one excepted', async () => {
    const { killed, rows, log } = await prepareKilled()
    for (let variant = 0; variant < 200; variant += 1) {
      const bytes = Buffer.from(log)
      bytes[Math.floor((variant / 200) * log.length)]! ^= 0x40
      const outcome = await openVariant(killed, { name: 'chat-gateway.db-wal', bytes })
      if (typeof outcome === 'string') continue
      expect(outcome.length).toBeGreaterThanOrEqual(rows.length - 1)
      expect(outcome).toEqual(rows.slice(0, outcome.length))
    }
  }, 60_000)

  it('of a cut-off log open with a beginning of the rows, as after a crash', async () => {
    const { killed, rows, log } = await prepareKilled()
    for (let variant = 0; variant < 50; variant += 1) {
      const outcome = await openVariant(killed, {
        name: 'chat-gateway.db-wal',
        bytes: log.subarray(0, Math.floor((variant / 50) * log.length)),
      })
      expect(outcome).toEqual(rows.slice(0, outcome.length))
    }
  }, 60_000)

  it('of a flipped byte, a zeroed page or a cut-off file are opened or refused, without any other failure', async () => {
    ;(await fillDatabase(file)).storage.close()
    const sound = path.join(folder, 'sound')
    mkdirSync(sound)
    copyFileSync(file, path.join(sound, 'chat-gateway.db'))
    const original = readFileSync(file)
    const count = { refused: 0, 'found when read': 0, 'found by the full check': 0, opened: 0 }
    for (let variant = 0; variant < 250; variant += 1) {
      const bytes = Buffer.from(original)
      const at = Math.floor((variant / 250) * bytes.length)
      if (variant % 5 === 0) bytes.fill(0, at - (at % PAGE), at - (at % PAGE) + PAGE)
      else bytes[at]! ^= 1 << (variant % 8)
      const outcome = await openVariant(sound, {
        name: 'chat-gateway.db',
        bytes: variant % 25 === 24 ? bytes.subarray(0, at) : bytes,
      })
      count[typeof outcome === 'string' ? outcome : 'opened'] += 1
    }
    expect(count.refused).toBeGreaterThan(10)
    expect(count['found by the full check']).toBeGreaterThan(10)
  }, 60_000)

  it('of each byte of the header changed are opened or refused, and what opens is right', async () => {
    const { storage, rows } = await fillDatabase(file)
    storage.close()
    const sound = path.join(folder, 'sound')
    mkdirSync(sound)
    copyFileSync(file, path.join(sound, 'chat-gateway.db'))
    const original = readFileSync(file)
    const wrong: number[] = []
    for (let at = 0; at < 100; at += 1) {
      const bytes = Buffer.from(original)
      bytes[at]! ^= 0xff
      const outcome = await openVariant(sound, { name: 'chat-gateway.db', bytes })
      wrong.push(...(typeof outcome === 'string' || isDeepStrictEqual(outcome, rows) ? [] : [at]))
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

describe('before a change of the schema', () => {
  it('damage deep in the database stops the change and offers the backups', async () => {
    const { storage } = await fillDatabase(file)
    storage.close()
    const good = createBackup(file, 'good')
    const bytes = readFileSync(file)
    bytes.fill(0xa5, bytes.length - PAGE, bytes.length - PAGE + 40)
    writeFileSync(file, bytes)
    const more = [
      ...migrations,
      { id: '9999-next', statements: ['create table next (id integer primary key) strict'] },
    ]
    expect((await catchDamage({ migrations: more })).backups).toEqual([good])
    expect(readFileSync(file)).toEqual(bytes)
  })
})
