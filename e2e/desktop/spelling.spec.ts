import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callAs } from '../accounts.ts'
import { expect, test as base, type DesktopApp } from './desktop-app.ts'

interface WordLists {
  readonly address: string
  /** Paths of the lists that were asked for. */
  readonly asked: string[]
}

const test = base.extend<{ lists: WordLists }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  lists: async ({}, use) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await use({ address: `http://127.0.0.1:${port}/`, asked })
    server.close()
  },
})
// The other systems have word lists of their own.
test.skip(process.platform !== 'linux')

/** Chooses in the settings that spelling is checked, with lists from the given address. */
async function switchOn(app: DesktopApp, { address }: WordLists): Promise<void> {
  await app.electron.evaluate(({ session }, url) => {
    const own = session.defaultSession
    const set = own.setSpellCheckerDictionaryDownloadURL.bind(own)
    own.setSpellCheckerDictionaryDownloadURL = (given) =>
      set(given.startsWith('https:') ? url : given)
  }, address)
  await app.page.goto(`${app.gateway().url}/settings/desktop`)
  await app.page.getByRole('switch', { name: 'Check spelling' }).click()
}

const isOn = (app: DesktopApp): Promise<boolean> =>
  app.electron.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled())

test('a word list is fetched once spelling is switched on, and not before', async ({
  app,
  lists,
}) => {
  expect(await isOn(app)).toBe(false)
  await switchOn(app, lists)
  await expect.poll(() => lists.asked).toContainEqual(expect.stringMatching(/\.bdic$/))
  expect(await isOn(app)).toBe(true)
})

test('spelling ends at once when the gateway is sealed, and begins again when it is not', async ({
  app,
  lists,
}) => {
  await switchOn(app, lists)
  await expect.poll(() => isOn(app)).toBe(true)
  await callAs(app.page)
  const seal = (isSealed: boolean) =>
    app.page.request.post(`${app.gateway().url}/api/v1/settings`, {
      data: { values: { SEALED_MODE: isSealed } },
    })
  await seal(true)
  await expect.poll(() => isOn(app)).toBe(false)
  await seal(false)
  await expect.poll(() => isOn(app)).toBe(true)
})

test.describe('in sealed mode', () => {
  test.use({ variables: { SEALED_MODE: 'true' } })

  test('no word list is fetched, and the refusal is listed', async ({ app, lists }) => {
    await switchOn(app, lists)
    await app.page.goto(`${app.gateway().url}/settings/outgoing`)
    await expect(app.page.getByText('redirector.gvt1.com').first()).toBeVisible()
    expect(await isOn(app)).toBe(false)
    expect(lists.asked).toEqual([])
  })
})
