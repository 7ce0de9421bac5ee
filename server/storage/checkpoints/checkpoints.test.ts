import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { openStorage, type Storage } from '../index.ts'
import { CHECKPOINT_PAGES, type LogState } from './messages.ts'

const MEGABYTE = 1024 * 1024

let storage: Storage | undefined
afterEach(() => storage?.close())

function open(): { storage: Storage; file: string } {
  const file = path.join(createTemporaryFolder(), 'chat-gateway.db')
  storage = openStorage({ path: file })
  return { storage, file }
}

const write = (storage: Storage, key: string, bytes: number): Promise<number> =>
  storage.run(
    storage.builder
      .insertInto('setting')
      .values({ key, value: 'x'.repeat(bytes), updated_at: 0 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'y'.repeat(bytes) })),
  )

const logOf = ({ sqlite }: Storage): LogState =>
  sqlite.prepare<[], LogState>('pragma wal_checkpoint(noop)').get()!

describe('the log of the database', () => {
  it('is not emptied by the commit that fills it, but by another thread soon after', async () => {
    const { storage, file } = open()
    await write(storage, 'LARGE', 6 * MEGABYTE)
    const { log, checkpointed } = logOf(storage)
    expect(log).toBeGreaterThan(CHECKPOINT_PAGES)
    expect(checkpointed).toBe(0)
    await vi.waitFor(
      () => {
        const state = logOf(storage)
        expect(state.checkpointed).toBe(state.log)
      },
      { timeout: 10_000 },
    )
    expect(statSync(file).size).toBeGreaterThan(6 * MEGABYTE)
  })

  it('stays bounded while writes never pause', async () => {
    const { storage, file } = open()
    for (let count = 0; count < 120; count += 1) {
      await write(storage, `ROW_${count % 20}`, MEGABYTE)
      await sleep(1)
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(100 * MEGABYTE)
  }, 60_000)

  it('is left alone while there is little in it', async () => {
    const { storage } = open()
    await write(storage, 'SMALL', 100)
    await sleep(200)
    expect(logOf(storage)).toMatchObject({ checkpointed: 0 })
  })
})

const WRITE_FOREVER = `
  import { writeSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  const { openStorage } = await import('../index.ts')
  const [path, first] = process.argv.slice(1)
  const storage = openStorage({ path })
  for (let number = Number(first); ; number += 1) {
    await storage.run(storage.builder.insertInto('setting').values({ key: 'KEY_' + number, value: 'x'.repeat(500_000), updated_at: number }))
    writeSync(1, number + '\\n')
    await sleep(1)
  }
`

/** Returns the last number that a process reported as stored before it was killed. */
async function writeUntilKilled(
  file: string,
  first: number,
  milliseconds: number,
): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', WRITE_FOREVER, '--', file, String(first)],
    { cwd: import.meta.dirname },
  )
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await sleep(milliseconds)
  // It never ends on its own, not even while a write waits for the thread that empties the log.
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  await closed
  return Number(said.trimEnd().split('\n').at(-1))
}

it('loses nothing that was said to be stored when the process is killed while its log is emptied', async () => {
  const file = path.join(createTemporaryFolder(), 'chat-gateway.db')
  let next = 0
  for (let cycle = 0; cycle < 6; cycle += 1) {
    const acknowledged = await writeUntilKilled(file, next, 150 + cycle * 40)
    const reopened = openStorage({ path: file })
    const rows = await reopened.all(
      reopened.builder.selectFrom('setting').select('updated_at').orderBy('updated_at'),
    )
    const numbers = rows.map((row) => row.updated_at)
    reopened.close()
    expect(numbers.length).toBeGreaterThan(acknowledged)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index))
    next = numbers.length
  }
  expect(findFileFault(file)).toBeNull()
}, 120_000)
