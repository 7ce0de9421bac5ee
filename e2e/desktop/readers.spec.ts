import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { buildPrograms } from './build-programs.ts'
import { expect, test as base } from './desktop-app.ts'
import { isAlive } from './is-alive.ts'

const root = path.resolve(import.meta.dirname, '../..')
const executable = process.env['ELECTRON_BINARY']
const fixture = (filename: string): string =>
  path.join(root, 'server/retrieval/extraction/fixtures', filename)

const PROGRAMS = {
  main: 'e2e/desktop/reader-app/main.ts',
  gateway: 'e2e/desktop/reader-app/gateway.ts',
  'extraction-worker': 'server/retrieval/extraction/extraction-worker.ts',
}

const test = base.extend<
  { reader: { electron: ElectronApplication; folder: string } },
  { programs: string }
>({
  /** Folder of the built programs, which take longer to build than to run. */
  programs: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'reader-app-'))
      await buildPrograms(folder, PROGRAMS)
      await use(folder)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
    { scope: 'worker' },
  ],
  reader: async ({ programs: folder }, use) => {
    const electron = await _electron.launch({
      ...(executable && { executablePath: executable }),
      args: [path.join(folder, 'main.js'), path.join(folder, 'gateway.js')],
      chromiumSandbox: true,
      env: { ...(process.env as Record<string, string>), OPENAI_API_KEY: 'secret of the app' },
    })
    await expect
      .poll(() => electron.evaluate(() => typeof globalThis.readDocument))
      .toBe('function')
    await use({ electron, folder })
    await electron.close()
  },
})

const read = (electron: ElectronApplication, file: string, timeLimit = 30_000) =>
  electron.evaluate((_, order) => globalThis.readDocument(order), {
    path: file,
    filename: path.basename(file),
    timeLimit,
  })

const readers = (electron: ElectronApplication): Promise<number[]> =>
  electron.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .flatMap(({ name, pid }) => (name?.includes('document reader') ? [pid] : [])),
  )

test('the packed gateway has documents read by a process of its own', async ({
  reader: { electron },
}) => {
  const pdf = await read(electron, fixture('report.pdf'))
  expect(pdf).toMatchObject({ type: 'read', text: expect.stringMatching(/\w/) })
  expect(await read(electron, fixture('report.docx'))).toMatchObject({
    type: 'read',
    text: expect.stringMatching(/\w/),
  })
  const [pid, ...others] = await readers(electron)
  expect(others).toEqual([])
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('OPENAI_API_KEY')
})

test('a reader that is killed is replaced, one that takes too long is ended', async ({
  reader: { electron, folder },
}) => {
  await read(electron, fixture('report.pdf'))
  const [pid] = await readers(electron)
  process.kill(pid!, 'SIGKILL')
  await expect.poll(() => readers(electron)).toEqual([])
  expect(await read(electron, fixture('report.pdf'))).toMatchObject({ type: 'read' })
  const slow = path.join(folder, 'slow.html')
  writeFileSync(slow, '<div>'.repeat(3_000_000))
  expect(await read(electron, slow, 50)).toMatchObject({
    type: 'refused',
    text: expect.stringContaining('could not be read within'),
  })
  await expect.poll(() => readers(electron)).toEqual([])
  expect(await read(electron, fixture('report.pdf'))).toMatchObject({ type: 'read' })
})

test('no reader outlives the gateway', async ({ reader: { electron } }) => {
  await read(electron, fixture('report.pdf'))
  const [pid] = await readers(electron)
  const gateway = await electron.evaluate(
    ({ app }) =>
      app
        .getAppMetrics()
        .find(({ type, name }) => type === 'Utility' && name === 'Node Utility Process')?.pid,
  )
  if (gateway !== undefined) process.kill(gateway, 'SIGKILL')
  else await electron.evaluate(({ app }) => setTimeout(() => app.quit(), 0))
  await expect.poll(() => isAlive(pid!)).toBe(false)
})
