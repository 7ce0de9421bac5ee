import Sqlite from 'better-sqlite3'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { findCopyFault, listBackups } from './backups/backups.ts'
import { NewerSchemaError } from './errors.ts'
import { openStorage } from './index.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { openDatabase } from './open-database.ts'

const OLD: Migration[] = [
  {
    id: '0001-notes',
    statements: [
      'create table note (id text primary key, text text) strict',
      "insert into note values ('a', 'kept')",
    ],
  },
]
const NEW: Migration[] = [
  ...OLD,
  {
    id: '0002-rebuild',
    statements: [
      'create table new_note (id text primary key, text text, length integer not null) strict',
      'insert into new_note select id, text, length(text) from note',
      'drop table note',
      'alter table new_note rename to note',
    ],
  },
  { id: '0003-index', statements: ['create index note_length on note (length)'] },
]

const open = (file: string, migrations: Migration[]) =>
  openDatabase({ path: file, migrations, recovery: null })

function prepareOldDatabase(): string {
  const file = path.join(createTemporaryFolder(), 'test.db')
  open(file, OLD).close()
  return file
}

describe('the schema', () => {
  it('is made step by step, once', () => {
    const file = prepareOldDatabase()
    const sqlite = open(file, NEW)
    expect(sqlite.prepare('select id from schema_migration').pluck().all()).toEqual([
      '0001-notes',
      '0002-rebuild',
      '0003-index',
    ])
    expect(sqlite.pragma('user_version', { simple: true })).toBe(3)
    sqlite.close()
    open(file, NEW).close()
    expect(listBackups(file)).toHaveLength(1)
  })

  it('is only changed after a verified backup of the old one, which no other user can read', () => {
    const file = prepareOldDatabase()
    open(file, NEW).close()
    const [backup] = listBackups(file)
    expect(findCopyFault(backup!.path)).toBeNull()
    expect(statSync(backup!.path).mode & 0o077).toBe(0)
    const copy = new Sqlite(backup!.path)
    expect(copy.prepare('select * from note').all()).toEqual([{ id: 'a', text: 'kept' }])
    copy.close()
  })

  it('keeps the newest three backups', () => {
    const file = prepareOldDatabase()
    const steps = [...OLD]
    for (let number = 2; number <= 6; number += 1) {
      steps.push({
        id: `000${number}-step`,
        statements: [`create table step_${number} (id integer primary key) strict`],
      })
      open(file, steps).close()
    }
    expect(listBackups(file).map((backup) => path.basename(backup.path).slice(25))).toEqual([
      'before-0006-step.db',
      'before-0005-step.db',
      'before-0004-step.db',
    ])
  })

  it('stays as it was when a step fails', () => {
    const file = prepareOldDatabase()
    const failing = [
      ...NEW.slice(0, 2),
      { id: '0003-bad', statements: ['create table more (id) ', 'select nonsense'] },
    ]
    expect(() => open(file, failing)).toThrow('nonsense')
    const sqlite = open(file, NEW.slice(0, 2))
    expect(sqlite.prepare("select name from sqlite_schema where name = 'more'").all()).toEqual([])
    sqlite.close()
  })

  it('refuses a step that leaves rows without the row they refer to', () => {
    const sqlite = new Sqlite(':memory:')
    const steps: Migration[] = [
      {
        id: '1',
        statements: [
          'create table parent (id integer primary key) strict',
          'create table child (parent integer references parent (id)) strict',
          'insert into parent values (1)',
          'insert into child values (1)',
        ],
      },
      { id: '2', statements: ['delete from parent'] },
    ]
    expect(() => migrate(sqlite, steps)).toThrow(
      'Step 2 would leave rows of child without their parent.',
    )
  })

  it('R29: of a newer program is refused with both versions and the backup, and nothing is written', () => {
    const file = prepareOldDatabase()
    open(file, NEW).close()
    const before = readdirSync(path.dirname(file)).map((name) => [
      name,
      statSync(path.join(path.dirname(file), name)).mtimeMs,
    ])
    const openOld = () => open(file, OLD)
    expect(openOld).toThrow(NewerSchemaError)
    expect(openOld).toThrow(/has schema 3, .* knows schemas up to 1\..*before-0002-rebuild\.db/)
    expect(
      readdirSync(path.dirname(file)).map((name) => [
        name,
        statSync(path.join(path.dirname(file), name)).mtimeMs,
      ]),
    ).toEqual(before)
  })

  it('of a newer program makes room for the newest backup that fits, and is kept', () => {
    const file = prepareOldDatabase()
    open(file, NEW).close()
    expect(() => open(file, OLD)).toThrow(expect.objectContaining({ choices: ['restore'] }))
    openDatabase({ path: file, migrations: OLD, recovery: 'restore' }).close()
    open(file, OLD).close()
    const [quarantine] = readdirSync(path.join(path.dirname(file), 'quarantine'))
    const kept = path.join(path.dirname(file), 'quarantine', quarantine!, path.basename(file))
    expect(() => open(kept, OLD)).toThrow(/has schema 3/)
  })

  it('of a newer program without a backup that fits stays, whatever is chosen', () => {
    const file = prepareOldDatabase()
    open(file, NEW).close()
    rmSync(path.join(path.dirname(file), 'backups'), { recursive: true })
    for (const recovery of ['restore', 'fresh', 'without-log'] as const)
      expect(() => openDatabase({ path: file, migrations: OLD, recovery })).toThrow(
        NewerSchemaError,
      )
    open(file, NEW).close()
  })
})

const OPEN_AND_DIE = `
  const { openDatabase } = await import('../storage/open-database.ts')
  const [path, migrations, killAt] = process.argv.slice(1)
  let places = 0
  const hook = () => { if (++places === Number(killAt)) process.kill(process.pid, 'SIGKILL') }
  openDatabase({ path, migrations: JSON.parse(migrations), recovery: null, hook }).close()
`

describe('R3: a kill inside a migration', () => {
  // Three hooks per step (begin, before commit, committed) and one per statement.
  const places = NEW.reduce((sum, step) => sum + 3 + step.statements.length, 0)

  it('of a new database leaves none behind, so that the next start begins again', () => {
    for (let place = 1; place <= places; place += 1) {
      const file = path.join(createTemporaryFolder(), 'test.db')
      expect(runInProcess(OPEN_AND_DIE, [file, JSON.stringify(NEW), String(place)]).signal).toBe(
        'SIGKILL',
      )
      expect(existsSync(file)).toBe(false)
      const sqlite = open(file, NEW)
      expect(sqlite.prepare('select * from note').all()).toEqual([
        { id: 'a', text: 'kept', length: 4 },
      ])
      sqlite.close()
    }
  }, 60_000)

  it('of an old database leaves the old or the new schema, never one between, and a sound backup', () => {
    const updatePlaces = places - 3 - OLD[0]!.statements.length
    for (let place = 1; place <= updatePlaces; place += 1) {
      const file = prepareOldDatabase()
      expect(runInProcess(OPEN_AND_DIE, [file, JSON.stringify(NEW), String(place)]).signal).toBe(
        'SIGKILL',
      )
      expect(listBackups(file).map((backup) => findCopyFault(backup.path))).toEqual([null])
      const seen = new Sqlite(file)
      const columns = seen.prepare('select name from pragma_table_info(?)').pluck().all('note')
      const steps = seen.prepare('select count(*) from schema_migration').pluck().get()
      seen.close()
      expect(columns).toEqual(steps === 1 ? ['id', 'text'] : ['id', 'text', 'length'])
      const sqlite = open(file, NEW)
      expect(sqlite.prepare('select * from note').all()).toEqual([
        { id: 'a', text: 'kept', length: 4 },
      ])
      sqlite.close()
    }
  }, 60_000)
})

describe('the schema of the product', () => {
  it('is made on disk as in memory, readable by its owner only', async () => {
    const file = path.join(createTemporaryFolder(), 'chat-gateway.db')
    const storage = openStorage({ path: file })
    expect(await storage.all(storage.builder.selectFrom('setting').selectAll())).toEqual([])
    for (const name of readdirSync(path.dirname(file)))
      expect(statSync(path.join(path.dirname(file), name)).mode & 0o077).toBe(0)
    storage.close()
    expect(readdirSync(path.dirname(file))).toEqual(['chat-gateway.db'])
  })
})
