import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, shareApp, takePicture, test } from './desktop-app.ts'

test('the first start opens a window that is signed in by itself and shows the first-run guide', async ({
  fresh,
}) => {
  await expect(fresh.page.getByRole('button', { name: 'Skip guide' })).toBeVisible()
  const cookies = await fresh.page.context().cookies()
  const byName = cookies.toSorted((one, other) => one.name.localeCompare(other.name))
  expect(byName).toMatchObject([
    {
      name: expect.stringMatching(/^device-/),
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/v1/auths',
    },
    { name: expect.stringMatching(/^token/), httpOnly: true, sameSite: 'Lax' },
  ])
  await takePicture(fresh.page, 'first-run')
})

test('size and place of the window are restored at the next start', async ({ app, start }) => {
  const place = { x: 40, y: 50, width: 900, height: 640 }
  await app.electron.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]!.setBounds(bounds),
    place,
  )
  await app.electron.close()
  const { electron } = await start()
  expect(
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds()),
  ).toEqual(place)
})

test('a window whose display is gone comes back to one that is there, at the start and amid the run', async ({
  app,
  start,
}) => {
  const isInside = (electron: typeof app.electron) =>
    electron.evaluate(({ BrowserWindow, screen }) => {
      const { x, y, width, height } = BrowserWindow.getAllWindows()[0]!.getBounds()
      const { workArea } = screen.getPrimaryDisplay()
      return (
        x >= workArea.x &&
        y >= workArea.y &&
        x + width <= workArea.x + workArea.width &&
        y + height <= workArea.y + workArea.height
      )
    })
  const moveAway = (electron: typeof app.electron) =>
    electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.setBounds({ x: 5000, y: 3000, width: 800, height: 600 }),
    )
  await moveAway(app.electron)
  expect(await isInside(app.electron)).toBe(false)
  // The only display here cannot be unplugged, so the event of the system is emitted.
  await app.electron.evaluate(({ screen }) => void screen.emit('display-removed'))
  await expect.poll(() => isInside(app.electron)).toBe(true)

  await moveAway(app.electron)
  await app.electron.close()
  const next = await start()
  await expect.poll(() => isInside(next.electron)).toBe(true)
})

test.describe('one window', () => {
  const sharedApp = shareApp()

  test('the cookie of the window opens no call without the half its page keeps, also after a reload', async () => {
    const app = sharedApp()
    const url = app.gateway().url
    const cookie = (await app.page.context().cookies()).find(({ name }) => name.startsWith('token'))
    const key = await app.page.evaluate(() => localStorage.getItem('session-key'))
    const statusWith = async (headers: Record<string, string>) =>
      (
        await fetch(`${url}/api/models`, {
          headers: { Cookie: `token=${cookie!.value}`, ...headers },
        })
      ).status
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ 'X-Session-Key': key! })).toBe(200)
    expect(
      (await fetch(`${url}/api/models`, { headers: { Authorization: `Bearer ${cookie!.value}` } }))
        .status,
    ).toBe(401)
    expect(app.log()).not.toContain(key)
    await app.page.reload()
    await expect(app.chat.composer).toBeVisible()
    expect(await app.page.evaluate(() => localStorage.getItem('session-key'))).toBe(key)
  })

  test('the page runs sandboxed without Node and sees two functions of the app', async () => {
    const app = sharedApp()
    const surface = await app.page.evaluate(() => ({
      desktop: Object.keys(window['desktop' as keyof Window] as object),
      node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
    }))
    expect(surface).toEqual({ desktop: ['request', 'on'], node: [] })
    const preferences = await app.electron.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .map((contents) =>
          (
            contents as unknown as { getLastWebPreferences(): Electron.WebPreferences }
          ).getLastWebPreferences(),
        ),
    )
    expect(preferences).toMatchObject([
      { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true },
    ])
  })

  test('the sign-in code and the root key appear in no log, no address and no process list', async () => {
    const app = sharedApp()
    const key = readFileSync(path.join(app.profile, 'root-key'), 'utf8').trim()
    expect(key).toHaveLength(44)
    expect(app.log()).not.toContain(key)
    expect(app.log()).not.toMatch(/"code":"\w{16,}/)
    expect(app.page.url()).not.toContain('code')
    const gatewayProcess = `/proc/${app.gateway().pid}`
    for (const file of ['cmdline', 'environ'])
      expect(readFileSync(path.join(gatewayProcess, file), 'utf8')).not.toContain(key)
  })

  test('every command of the interface is in the native menu', async () => {
    const app = sharedApp()
    const ids = await app.electron.evaluate(({ Menu }) => {
      const collect = (menu: Electron.Menu): string[] =>
        menu.items.flatMap((item) => [item.id, ...(item.submenu ? collect(item.submenu) : [])])
      return collect(Menu.getApplicationMenu()!)
    })
    expect(ids).toEqual(
      expect.arrayContaining(['chat.new', 'settings.open', 'palette.open', 'help.shortcuts']),
    )
    await app.electron.evaluate(
      ({ Menu }) => void Menu.getApplicationMenu()!.getMenuItemById('palette.open')!.click(),
    )
    await expect(app.page.getByRole('dialog')).toBeVisible()
    await takePicture(app.page, 'palette')
  })

  test('a page that opens a window or leaves the gateway is stopped, and the address is offered to the browser after a question', async () => {
    const app = sharedApp()
    const asked = () =>
      app.electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
    await app.electron.evaluate(({ dialog }) => {
      const questions: string[] = []
      Object.assign(globalThis, { asked: questions })
      dialog.showMessageBox = async (...words: unknown[]) => {
        questions.push((words.at(-1) as { message: string }).message)
        return { response: 1, checkboxChecked: false }
      }
    })
    const before = app.page.url()
    await app.page.evaluate(() => void window.open('https://example.org/opened'))
    await expect.poll(asked).toEqual(['Open example.org in your browser?'])
    await app.page.evaluate(() => void (location.href = 'http://192.0.2.1/left'))
    await expect.poll(asked).toHaveLength(2)
    await app.page.evaluate(() => void window.open('file:///etc/passwd'))
    expect(app.electron.windows()).toHaveLength(1)
    expect(app.page.url()).toBe(before)
  })
})
