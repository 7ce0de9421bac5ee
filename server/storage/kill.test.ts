import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../testing/create-temporary-folder.ts'
import { findFileFault } from './damage/find-fault.ts'
import { openStorage } from './index.ts'

const WRITE_FOREVER = `
  import { writeSync } from 'node:fs'
  const { openStorage } = await import('./index.ts')
  const [path, first] = process.argv.slice(1)
  const storage = openStorage({ path })
  const add = (number) => storage.run(storage.builder.insertInto('setting').values({ key: 'KEY_' + number, value: 'x'.repeat(number % 5000), updated_at: number }))
  for (let number = Number(first); ; number += 2) {
    await storage.transaction(async () => {
      await add(number)
      await add(number + 1)
    })
    writeSync(1, number + 1 + '\\n')
  }
`

/**
 * Writes pairs of rows in a separate process and kills it; returns the last number the process
 * reported as stored.
 */
async function writeUntilKilled(
  file: string,
  first: number,
  milliseconds: number,
): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', WRITE_FOREVER, '--', file, String(first)],
    {
      cwd: import.meta.dirname,
    },
  )
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  await once(child.stdout, 'data')
  await sleep(milliseconds)
  child.kill('SIGKILL')
  await once(child, 'close')
  return Number(said.trimEnd().split('\n').at(-1))
}

describe('R1: a process killed while it writes', () => {
  it('loses no row it said was stored, and leaves no half transaction, 25 times in a row', async () => {
    const file = path.join(createTemporaryFolder(folderOnDisk()), 'chat-gateway.db')
    let next = 0
    for (let cycle = 0; cycle < 25; cycle += 1) {
      const acknowledged = await writeUntilKilled(file, next, cycle * 3)
      const storage = openStorage({ path: file })
      const numbers = (
        await storage.all(
          storage.builder.selectFrom('setting').select('updated_at').orderBy('updated_at'),
        )
      ).map((row) => row.updated_at)
      storage.close()
      expect(numbers.length).toBeGreaterThan(acknowledged)
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index))
      expect(numbers.length % 2).toBe(0)
      next = numbers.length
    }
    expect(findFileFault(file)).toBeNull()
  }, 120_000)
})
