import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import type { DesktopBridge } from '#desktop'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, shareApp, takePicture, test, type DesktopApp } from './desktop-app.ts'

const visibleWindows = (app: DesktopApp): Promise<number> =>
  app.electron.evaluate(
    ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
  )

test('started hidden, the gateway runs and no window is there until a second start asks for one', async ({
  start,
}) => {
  const app = await start(['--hidden'])
  expect(await visibleWindows(app)).toBe(0)
  expect((await fetch(`${app.gateway().url}/health`)).ok).toBe(true)
  app.startAgain()
  await expect.poll(() => visibleWindows(app)).toBe(1)
})

test('the data goes where --data-dir says, the rest stays in the profile', async ({
  start,
  profile,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-data-'))
  const app = await start([`--data-dir=${folder}`, '--hidden'])
  await expect.poll(() => existsSync(path.join(folder, 'chat-gateway.db'))).toBe(true)
  expect(existsSync(path.join(profile, 'data'))).toBe(false)
  expect(existsSync(path.join(profile, 'root-key'))).toBe(true)
  await app.electron.close()
})

test.describe('one app', () => {
  const sharedApp = shareApp()

  test('another window is signed in like the first, and either may be closed first', async () => {
    const app = sharedApp()
    const [second] = await Promise.all([
      app.electron.waitForEvent('window'),
      app.electron.evaluate(
        ({ Menu }) => void Menu.getApplicationMenu()!.getMenuItemById('newWindow')!.click(),
      ),
    ])
    await second.waitForURL(/^http/)
    await expect(second.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
    expect(await visibleWindows(app)).toBe(2)
    await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .toSorted((one, other) => one.id - other.id)[0]!
        .close(),
    )
    await expect.poll(() => visibleWindows(app)).toBe(1)
    expect((await fetch(`${app.gateway().url}/health`)).ok).toBe(true)
    app.startAgain()
    await expect.poll(() => visibleWindows(app)).toBe(2)
    await second.close()
    await expect.poll(() => visibleWindows(app)).toBe(1)
  })

  test('a right click in the message box offers what can be done with its text', async () => {
    const app = sharedApp()
    await app.electron.evaluate(({ Menu }) => {
      const shown: string[][] = []
      Object.assign(globalThis, { shown })
      const buildFromTemplate = Menu.buildFromTemplate.bind(Menu)
      Menu.buildFromTemplate = (template) => {
        shown.push(template.map((item) => (item as { label?: string }).label ?? ''))
        const menu = buildFromTemplate(template)
        menu.popup = () => undefined
        return menu
      }
    })
    await app.chat.composer.fill('Some words')
    await app.chat.composer.click({ button: 'right' })
    await expect
      .poll(() =>
        app.electron.evaluate(() => (globalThis as unknown as { shown: string[][] }).shown.at(-1)),
      )
      .toEqual(['Cut', 'Copy', 'Paste', 'Select all'])
  })

  test('paused, programs are refused in words while the window goes on', async () => {
    const app = sharedApp()
    const { url } = app.gateway()
    const callWithKey = async () => {
      const reply = await fetch(`${url}/api/models`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      return { status: reply.status, text: await reply.text() }
    }
    const key = await app.page.evaluate(async () => {
      const headers = {
        'Content-Type': 'application/json',
        'X-Requested-With': 'chat-gateway',
        'X-Session-Key': localStorage.getItem('session-key')!,
      }
      const allow = { method: 'POST', headers, body: '{"ENABLE_API_KEYS":true}' }
      await fetch('/api/v1/auths/admin/config', allow)
      const reply = await fetch('/api/v1/auths/api_keys', {
        method: 'POST',
        headers,
        body: '{"name":"script"}',
      })
      return ((await reply.json()) as { api_key: string }).api_key
    })
    expect((await callWithKey()).status).toBe(200)
    await app.page.goto(`${url}/settings/desktop`)
    const pause = app.page.getByRole('switch', { name: 'Pause for programs' })
    await pause.click()
    await expect.poll(async () => (await callWithKey()).status).toBe(503)
    expect((await callWithKey()).text).toContain('The gateway is paused.')
    await app.chat.open()
    await app.chat.ask('Are you still there?')
    await app.page.goto(`${url}/settings/desktop`)
    await expect(pause).toBeChecked()
    await app.page.setViewportSize({ width: 390, height: 780 })
    await takePicture(app.page, 'desktop-settings-390')
    await expectAccessible(app.page)
    await pause.click()
    await expect.poll(async () => (await callWithKey()).status).toBe(200)
  })

  test('what is chosen for the app itself takes effect at once', async () => {
    const app = sharedApp()
    await app.page.goto(`${app.gateway().url}/settings/desktop`)
    const login = app.page.getByRole('switch', { name: 'Start when you sign in' })
    const configFolder = await app.electron.evaluate(({ app: program }) =>
      program.getPath('appData'),
    )
    expect(configFolder.startsWith(homedir())).toBe(true)
    const file = path.join(configFolder, 'autostart/chat-gateway.desktop')
    await login.click()
    await expect.poll(() => existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(`"--hidden" "--profile=${app.profile}"`)
    await expect(login).toBeChecked()
    await login.click()
    await expect.poll(() => existsSync(file)).toBe(false)

    const checks = () =>
      app.electron.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled())
    const isLinux = process.platform === 'linux'
    expect(await checks()).toBe(!isLinux)
    await takePicture(app.page, 'desktop-settings')
    await expectAccessible(app.page, BOTH_SCHEMES)
    await app.page.emulateMedia({ colorScheme: 'dark' })
    await takePicture(app.page, 'desktop-settings-dark')
    await app.page.emulateMedia({ colorScheme: null })
    await app.page.getByRole('switch', { name: 'Check spelling' }).click()
    await expect.poll(checks).toBe(isLinux)
  })
})

test('pages are as large at the next start as they were left', async ({ app, start }) => {
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.setZoomLevel(1),
  )
  await app.electron.close()
  const again = await start()
  await expect
    .poll(() =>
      again.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]!.webContents.getZoomLevel(),
      ),
    )
    .toBe(1)
})

test('what is unread goes to the icon of the app, and downloads of models to its place in the taskbar', async ({
  app,
}) => {
  await app.electron.evaluate(({ app: program, BrowserWindow }) => {
    const seen: (number | null)[] = []
    Object.assign(globalThis, { seen })
    program.setBadgeCount = (count) => Boolean(seen.push(count ?? null))
    BrowserWindow.getAllWindows()[0]!.setProgressBar = (share) => void seen.push(share)
  })
  const mark = (marks: { unread?: number; downloads?: number | null }): Promise<unknown> =>
    app.page.evaluate(
      (named) =>
        (window as unknown as { desktop: DesktopBridge }).desktop.request('window.setMarks', named),
      marks,
    )
  for (const marks of [{ unread: 3 }, { downloads: 0.5 }, { downloads: null }, { unread: 0 }])
    await mark(marks)
  const seen = await app.electron.evaluate(
    () => (globalThis as unknown as { seen: readonly number[] }).seen,
  )
  expect(seen).toEqual([3, 0.5, -1, 0])
  await expect(mark({ downloads: 2 })).rejects.toThrow()
})
