import { execFileSync } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  truncateSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { openStorage } from '../index.ts'
import { Snapshots } from './index.ts'

const PLENTY = 1e12
const MEGABYTE = 1_000_000

/** Only root may mount; otherwise this test is skipped. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(path.join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

/** Returns incompressible text. */
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join('')

describe.runIf(canMount())('a disk that is too full for a snapshot', () => {
  it.each([0.2, 6])(
    'with %d MB left refuses it with a sentence, leaves the others whole and nothing half',
    async (left) => {
      const folder = createTemporaryFolder()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder])
      onTestFinished(() => void execFileSync('umount', ['-l', folder]))
      const database = path.join(folder, 'chat-gateway.db')
      const storage = openStorage({ path: database })
      onTestFinished(() => storage.close())
      const write = (key: string, length: number) =>
        storage.run(
          storage.builder
            .insertInto('setting')
            .values({ key, value: noise(length), updated_at: 1 }),
        )
      await write('FIRST', 2 * MEGABYTE)
      const snapshots = new Snapshots(database)
      const first = await snapshots.take('manual', PLENTY)
      await write('SECOND', 3 * MEGABYTE)
      const filler = path.join(folder, 'filler')
      expect(() => writeFileSync(filler, Buffer.alloc(64 * MEGABYTE))).toThrow('ENOSPC')
      truncateSync(filler, statSync(filler).size - left * MEGABYTE)
      await expect(snapshots.take('manual', PLENTY)).rejects.toMatchObject({
        status: 507,
        message: expect.stringMatching(/Free/),
      })
      expect(snapshots.list().map(({ id }) => id)).toEqual([first])
      rmSync(filler)
      rmSync(await snapshots.open(first))
      const work = path.join(folder, 'snapshots/work')
      expect(readdirSync(work)).toEqual([])
      const second = await snapshots.take('manual', PLENTY)
      expect(snapshots.list().map(({ id, fault }) => [id, fault])).toEqual([
        [second, null],
        [first, null],
      ])
    },
    90_000,
  )
})
