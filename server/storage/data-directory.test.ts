import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { openDataDirectory } from './data-directory.ts'
import { openStorage } from './index.ts'

const CLAIM = `
  const { openDataDirectory } = await import('./data-directory.ts')
  try {
    // Kept in a variable, because the lock ends when its holder is collected.
    globalThis.directory = openDataDirectory(process.argv[1])
    process.stdout.write('won')
    process.stdin.resume()
  } catch (error) {
    process.stdout.write(error.reason + ': ' + error.message)
    process.exitCode = error.exitCode
  }
`

/** Starts an instance; returns its first output. A winner runs until the test ends. */
function startInstance(folder: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', CLAIM, '--', folder], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString())),
  )
  return { said, pid: child.pid, kill: () => (child.kill('SIGKILL'), ended) }
}

describe('the data folder', () => {
  it('is made for its owner only and given back at the end', () => {
    const folder = path.join(createTemporaryFolder(), 'deep', 'data')
    const directory = openDataDirectory(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['gateway.lock', 'gateway.pid'])
    expect(readFileSync(path.join(folder, 'gateway.pid'), 'utf8')).toBe(`${process.pid}\n`)
    directory.release()
    expect(readdirSync(folder)).toEqual(['gateway.lock'])
    openDataDirectory(folder).release()
  })

  it('R10: is refused to a second instance with the process that holds it', () => {
    const folder = createTemporaryFolder()
    const directory = openDataDirectory(folder)
    expect(() => openDataDirectory(folder)).toThrow(
      expect.objectContaining({
        reason: 'locked',
        exitCode: 5,
        message: expect.stringContaining(`process ${process.pid}`),
      }),
    )
    directory.release()
  })

  it('R10: of 20 instances started at once is given to exactly one', async () => {
    const folder = createTemporaryFolder()
    const answers = await Promise.all(Array.from({ length: 20 }, () => startInstance(folder).said))
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1)
    expect(
      answers.filter((answer) => answer.startsWith('locked: A Chat Gateway already uses')),
    ).toHaveLength(19)
  }, 60_000)

  it('R10: is free again as soon as its holder was killed', async () => {
    const folder = createTemporaryFolder()
    for (let round = 0; round < 3; round += 1) {
      const instance = startInstance(folder)
      expect(await instance.said).toBe('won')
      expect(await startInstance(folder).said).toContain(`process ${instance.pid}`)
      await instance.kill()
    }
    openDataDirectory(folder).release()
  }, 60_000)

  it('is refused when it is not a folder', () => {
    const file = path.join(createTemporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => openDataDirectory(file)).toThrow(
      expect.objectContaining({
        reason: 'read-only',
        message: expect.stringContaining('DATA_DIR'),
      }),
    )
  })

  it.runIf(process.platform === 'linux')(
    'is refused where the system allows no folders',
    async () => {
      const said = await startInstance('/proc/chat-gateway/data').said
      expect(said).toMatch(
        /^read-only: The data folder \/proc\/chat-gateway\/data cannot be made\./,
      )
    },
  )

  it('does not take a foreign file for its lock', () => {
    const folder = createTemporaryFolder()
    writeFileSync(path.join(folder, 'gateway.lock'), 'text of another program '.repeat(100))
    expect(() => openDataDirectory(folder)).toThrow(/is not the lock of a Chat Gateway\. Remove it/)
  })
})

/** Only root may mount; otherwise these tests are skipped. */
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

function mount(folder: string, ...options: string[]): void {
  execFileSync('mount', [...options, folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
}

describe.runIf(canMount())('on a mounted disk', () => {
  it('R8: that is read-only the start stops with a clear message', () => {
    const folder = createTemporaryFolder()
    openDataDirectory(folder).release()
    mount(folder, '--bind', folder)
    execFileSync('mount', ['-o', 'remount,ro,bind', folder])
    const expected = expect.objectContaining({
      reason: 'read-only',
      exitCode: 1,
      message: expect.stringMatching(/cannot be written to\. Check the permissions/),
    })
    expect(() => openDataDirectory(folder)).toThrow(expected)
    expect(() => openStorage({ path: path.join(folder, 'chat-gateway.db') })).toThrow(expected)
    expect(() => openDataDirectory(path.join(folder, 'new'))).toThrow(
      expect.objectContaining({ reason: 'read-only' }),
    )
  })

  it('R7: that is full writes fail as such, reads go on, and writes work again when there is space', async () => {
    const folder = createTemporaryFolder()
    mount(folder, '-t', 'tmpfs', '-o', 'size=16m', 'tmpfs')
    const storage = openStorage({ path: path.join(folder, 'chat-gateway.db') })
    const add = (key: string) =>
      storage.run(
        storage.builder
          .insertInto('setting')
          .values({ key, value: 'x'.repeat(100_000), updated_at: 1 }),
      )
    const count = async () =>
      (await storage.all(storage.builder.selectFrom('setting').select('key'))).length
    for (let cycle = 0; cycle < 5; cycle += 1) {
      await add(`before-${cycle}`)
      const filler = path.join(folder, 'filler')
      expect(() => writeFileSync(filler, Buffer.alloc(32 * 1024 * 1024))).toThrow('ENOSPC')
      const before = await count()
      const fill = async () => {
        for (let number = 0; number < 200; number += 1) await add(`full-${cycle}-${number}`)
      }
      await expect(fill).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^SQLITE_(FULL|IOERR)/) }),
      )
      expect(await count()).toBeGreaterThanOrEqual(before)
      execFileSync('rm', [filler])
      await add(`after-${cycle}`)
    }
    expect(storage.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(readdirSync(folder).toSorted()).toEqual([
      'chat-gateway.db',
      'chat-gateway.db-shm',
      'chat-gateway.db-wal',
    ])
    storage.close()
  })

  it('R28: without space for the backup the schema is left as it was', () => {
    const folder = createTemporaryFolder()
    mount(folder, '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs')
    const file = path.join(folder, 'chat-gateway.db')
    const step = (id: string) => ({
      id,
      statements: [`create table step_${id} (id integer primary key) strict`],
    })
    openStorage({ path: file, migrations: [step('1')] }).close()
    const content = readFileSync(file)
    expect(() => openStorage({ path: file, migrations: [step('1'), step('2')] })).toThrow(
      /no space for the backup.*Free \d+ MB/,
    )
    expect(readFileSync(file)).toEqual(content)
    expect(existsSync(path.join(folder, 'backups'))).toBe(false)
  })
})
