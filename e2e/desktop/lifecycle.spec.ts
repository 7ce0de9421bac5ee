import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { expect, test, type DesktopApp } from './desktop-app.ts'

async function isPortFree(url: string): Promise<boolean> {
  const server = net.createServer()
  const outcome = new Promise<boolean>((resolve) =>
    server.once('listening', () => resolve(true)).once('error', () => resolve(false)),
  )
  server.listen(Number(new URL(url).port), '127.0.0.1')
  const isFree = await outcome
  server.close()
  return isFree
}

async function expectNothingLeft(
  app: DesktopApp,
  gateway: { url: string; pid: number },
): Promise<void> {
  await expect.poll(() => app.processes()).toEqual([])
  await expect.poll(() => existsSync(`/proc/${gateway.pid}/exe`)).toBe(false)
  expect(await isPortFree(gateway.url)).toBe(true)
  expect(existsSync(path.join(app.profile, 'data/gateway.json'))).toBe(false)
}

test('a second start ends at once and brings the first window to the front', async ({ app }) => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
  const [code] = await once(app.startAgain(), 'exit')
  expect(code).toBe(0)
  const isVisible = () =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.isVisible()),
    )
  await expect.poll(isVisible).toEqual([true])
})

test('a start while the app is ending brings it back once it has ended', async ({ app }) => {
  // The app starts three times.
  test.slow()
  const before = app.gateway()
  // The app ends only after the time that a gateway has to stop.
  process.kill(before.pid, 'SIGSTOP')
  const ended = once(app.electron.process(), 'exit')
  app.electron.process().kill('SIGTERM')
  const [code] = await once(app.startAgain(), 'exit')
  expect(code).toBe(0)
  await ended
  const file = path.join(app.profile, 'data/gateway.json')
  const isBack = () => existsSync(file) && app.gateway().pid !== before.pid
  await expect.poll(isBack, { timeout: 30_000 }).toBe(true)
  const [first] = app.processes().map(Number)
  process.kill(first!, 'SIGTERM')
  await expectNothingLeft(app, app.gateway())
})

test('R34: quitting leaves no process, a free port and no note of the gateway', async ({ app }) => {
  const gateway = app.gateway()
  const ended = once(app.electron.process(), 'exit')
  await app.electron.evaluate(({ app: program }) => setTimeout(() => program.quit(), 0))
  await ended
  await expectNothingLeft(app, gateway)
})

test('R34: quitting in the middle of an answer ends as cleanly', async ({ app }) => {
  await app.chat.send('Tell me everything.')
  await app.chat.answers.last().waitFor()
  const gateway = app.gateway()
  const ended = once(app.electron.process(), 'exit')
  app.electron.process().kill('SIGTERM')
  await ended
  await expectNothingLeft(app, gateway)
})

test('the gateway ends by itself when the app is killed', async ({ app }) => {
  const gateway = app.gateway()
  process.kill(await app.electron.evaluate(() => process.pid), 'SIGKILL')
  await expectNothingLeft(app, gateway)
})

test('chats whose folder was deleted while the app ran are there again at its next start', async ({
  app,
  start,
}) => {
  test.skip(process.platform === 'win32', 'Open files cannot be deleted there.')
  await app.chat.ask('Written before the folder was deleted.')
  rmSync(path.join(app.profile, 'data'), { recursive: true })
  await app.electron.close()
  const again = await start()
  await expect(again.page.getByText('Written before the folder was deleted.').first()).toBeVisible()
})
