import net from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test } from './desktop-app.ts'

/** Time limit in ms until another process replies at the URL the window shows. */
const BACK_WITHIN = 3_000

test('a killed gateway is back within three seconds and the draft is kept', async ({ app }) => {
  await app.chat.ask('A first message.')
  const draft = 'Half a thought, not sent yet'
  await app.chat.composer.fill(draft)
  const before = app.gateway()
  process.kill(before.pid, 'SIGKILL')
  const isBack = async () =>
    (await fetch(`${before.url}/health`).catch(() => null))?.ok === true &&
    app.gateway().pid !== before.pid
  await expect.poll(isBack, { timeout: BACK_WITHIN, intervals: [50] }).toBe(true)
  expect(app.gateway().url).toBe(before.url)
  await expect(app.chat.composer).toHaveValue(draft)
  await app.chat.composer.press('Enter')
  await expect(app.chat.answers).toHaveCount(2)
  await expect(app.chat.answers.last()).toContainText(/not an AI/i)
})

test('R35: a crashed page is loaded again with its chat and its draft', async ({ app }) => {
  await app.chat.ask('Before the crash.')
  await app.chat.composer.fill('draft before the crash')
  await app.page.waitForTimeout(1_000)
  const reloaded = app.electron.evaluate(
    ({ webContents }) =>
      new Promise<string>((resolve) => {
        const [contents] = webContents.getAllWebContents()
        contents!.once('did-finish-load', () => resolve(contents!.getURL()))
        contents!.forcefullyCrashRenderer()
      }),
  )
  expect(await reloaded).toContain(app.gateway().url)
  const draft = () =>
    app.electron.evaluate(
      ({ webContents }) =>
        webContents
          .getAllWebContents()[0]!
          .executeJavaScript('document.querySelector("textarea")?.value') as Promise<string>,
    )
  await expect.poll(draft).toBe('draft before the crash')
})

/** Reports whether nothing was loaded for a second. */
const hasBeenQuiet = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const last = Math.max(
      ...performance
        .getEntriesByType('resource')
        .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
    )
    return performance.now() - last > 1000
  })

test('a program that takes the port after a crash gets no byte from the window, which moves to the new address', async ({
  app,
}) => {
  const before = app.gateway()
  const received: string[] = []
  const decoy = net.createServer((socket) =>
    socket.on('data', (bytes) => received.push(bytes.toString('latin1'))),
  )
  // A request in flight at the moment of the crash is resent by the browser's network stack, which
  // cannot be prevented.
  await expect.poll(() => hasBeenQuiet(app.page)).toBe(true)
  process.kill(before.pid, 'SIGKILL')
  await new Promise<void>((resolve) => {
    decoy.on('error', () => setTimeout(listen, 1))
    decoy.on('listening', resolve)
    listen()
    function listen(): void {
      decoy.listen(Number(new URL(before.url).port), '127.0.0.1')
    }
  })
  await app.page.waitForURL((url) => url.origin !== before.url)
  await expect(app.chat.composer).toBeVisible()
  await expect(app.page.getByText('Another program uses port').first()).toBeVisible()
  expect(received).toEqual([])
  decoy.close()
})
