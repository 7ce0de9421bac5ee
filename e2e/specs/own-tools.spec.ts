import { addAccount, ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test as base } from '../fixtures.ts'
import { type KitchenServer, startKitchen } from '../kitchen-server.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { OwnToolsPage } from '../pages/own-tools-page.ts'

const test = base.extend<{ kitchen: KitchenServer; ownTools: OwnToolsPage }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  kitchen: async ({}, use) => {
    const kitchen = await startKitchen()
    await use(kitchen)
    kitchen.close()
  },
  ownTools: async ({ chat, kitchen }, use) => {
    const page = new OwnToolsPage(chat.page, chat.url)
    await page.open()
    await page.add({ name: 'Kitchen', url: kitchen.url, key: 'sesame' })
    await expect(page.card('Kitchen')).toContainText('ready')
    await use(page)
  },
})

async function switchOn(chat: ChatPage, name = 'Kitchen'): Promise<void> {
  await chat.open()
  await chat.page.getByRole('button', { name: /^Tools: / }).click()
  await chat.page.getByRole('switch', { name }).click()
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
}

test('a tool server of the person is called by their window, and the model reads what it gave', async ({
  ownTools,
  chat,
  kitchen,
  context,
}) => {
  await ownTools.card('Kitchen').getByText('3 tools').click()
  await expect(ownTools.card('Kitchen')).toContainText('Boils water in a pot')
  await switchOn(chat)
  const answer = await chat.ask('/call boil {"pot": "big", "litres": 2}')
  await expect(answer).toContainText('Used boil')
  await expect(answer).toContainText('It said: { "degrees": 100')
  expect(kitchen.heard).toContain(`POST /pots/big ${chat.url}`)
  const settings = await (
    await context.request.get(`${chat.url}/api/v1/users/user/settings`)
  ).text()
  expect(settings).toContain(kitchen.url)
  expect(settings).not.toContain('sesame')
  // The choice is stored with the chat, and restored after a reload.
  await chat.page.reload()
  await chat.ready()
  await expect(chat.page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
  await expect(await chat.ask('/call boil {"pot": "small"}')).toContainText('/pots/small')
})

test('a page it sends is shown below the answer', async ({ ownTools, chat }) => {
  await ownTools.open()
  await switchOn(chat)
  const answer = await chat.ask('/call menu {}')
  await expect(answer.frameLocator('iframe').getByText('Soup of the day')).toBeVisible()
})

test('stopping the answer ends the call in the window', async ({ ownTools, chat, kitchen }) => {
  await ownTools.open()
  await switchOn(chat)
  await chat.send('/call simmer {}')
  await expect.poll(() => kitchen.heard.some((line) => line.startsWith('GET /slow'))).toBe(true)
  await chat.stopButton.click()
  await expect.poll(() => kitchen.left).toEqual(['/slow'])
})

test('a window that is closed meanwhile is told to the model, which goes on', async ({
  ownTools,
  chat,
  kitchen,
  context,
  gateway,
}) => {
  await ownTools.open()
  await switchOn(chat)
  await chat.send('/call simmer {}')
  await expect.poll(() => kitchen.heard.some((line) => line.startsWith('GET /slow'))).toBe(true)
  const path = chat.path()
  const other = new ChatPage(await context.newPage(), gateway.url)
  await chat.page.close()
  await other.open(path)
  await other.finished()
  await expect(other.answers.last()).toContainText(
    'It said: The window that should answer was closed.',
  )
})

test('the page itself still reaches nobody but the gateway', async ({
  ownTools,
  kitchen,
  troubles,
}) => {
  const before = kitchen.heard.length
  const reached = await ownTools.page.evaluate(
    (url) =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    `${kitchen.url}/menu`,
  )
  expect(reached).toBe(false)
  expect(kitchen.heard).toHaveLength(before)
  await expect
    .poll(() => troubles.policyViolations.splice(0))
    .toEqual([expect.stringMatching(/^connect-src stopped /)])
})

test('a server that does not allow pages, or is not there, says what to do; it can be changed and removed', async ({
  chat,
}) => {
  const closed = await startKitchen({ allowsPages: false })
  const ownTools = new OwnToolsPage(chat.page, chat.url)
  await ownTools.open()
  await expectAccessible(chat.page)
  await ownTools.add({ name: 'Closed', url: closed.url })
  await expect(ownTools.card('Closed')).toContainText(`allows calls from ${chat.url} (CORS)`)
  closed.close()
  const kitchen = await startKitchen()
  await ownTools.choose('Closed', 'Edit')
  const dialog = chat.page.getByRole('dialog', { name: 'Edit “Closed”' })
  await expectAccessible(chat.page)
  await dialog.getByLabel('Address').fill(kitchen.url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ownTools.card('Closed')).toContainText(
    'Closed refused the request: it needs a key or a sign-in.',
  )
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await chat.page.screenshot({ path: 'out/test-results/tools-refused.png' })
  await ownTools.card('Closed').getByRole('button', { name: 'Enter key' }).click()
  await expect(dialog.getByRole('textbox', { name: 'API key' })).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await ownTools.choose('Closed', 'Remove')
  await expect(chat.page.getByText('No server yet.')).toBeVisible()
  await chat.page.getByRole('button', { name: 'Undo' }).click()
  await expect(ownTools.card('Closed')).toBeVisible()
  kitchen.close()
})

test('without the permission nobody can add one, and nothing is called', async ({
  browser,
  gateway,
  kitchen,
}) => {
  const account = await addAccount(gateway, gateway.adminToken, 'user')
  const context = await browser.newContext()
  await settleIn(context, gateway, account)
  const toolServers = [
    {
      url: kitchen.url,
      path: 'openapi.json',
      auth_type: 'none',
      info: { id: 'k', name: 'Kitchen' },
    },
  ]
  await context.request.post(`${gateway.url}/api/v1/users/user/settings/update`, {
    data: { ui: { welcomed: true, toolServers } },
  })
  expect(
    await (await context.request.get(`${gateway.url}/api/v1/users/user/settings`)).text(),
  ).not.toContain(kitchen.url)
  const page = await context.newPage()
  await page.goto(`${gateway.url}/settings/own-tools`)
  await expect(
    page.getByText('An administrator can allow people to add their own tool servers.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add tool', exact: true })).toHaveCount(0)
  expect((await context.request.get(`${gateway.url}/api/v1/tool_servers/frame`)).status()).toBe(403)
  expect(kitchen.heard).toEqual([])
  await context.close()
})

test('the page is accessible in both colour schemes and on a narrow window', async ({
  ownTools,
}) => {
  await ownTools.card('Kitchen').getByText('3 tools').click()
  await expectAccessible(ownTools.page, BOTH_SCHEMES)
  await ownTools.page.setViewportSize({ width: 360, height: 720 })
  await expectAccessible(ownTools.page)
})

test('own and shared servers stand in one list, each with whose it is', async ({
  page,
  startOwnGateway,
  kitchen,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const ownTools = new OwnToolsPage(page, gateway.url)
  await ownTools.open()
  await ownTools.add({ name: 'Kitchen', url: kitchen.url, key: 'sesame' })
  await ownTools.addButton.click()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('menuitem', { name: 'A web address or program to share' }).click()
  await ownTools.dialog.getByLabel('Name', { exact: true }).fill('City')
  await ownTools.dialog.getByLabel('Address', { exact: true }).fill(kitchen.url)
  await ownTools.dialog.getByRole('button', { name: 'Save' }).click()
  await ownTools.dialog.waitFor({ state: 'hidden' })
  await expect(ownTools.card('Kitchen')).toContainText('yours')
  await expect(ownTools.card('City')).toContainText('shared')
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('city')
  await expect(ownTools.card('Kitchen')).toHaveCount(0)
  await expect(ownTools.card('City')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 700 })
  await expectAccessible(page)
})

test('former addresses of tools open the page of all tools', async ({ chat }) => {
  for (const former of ['settings/own-tools', 'settings/tool-servers']) {
    await chat.page.goto(`${chat.url}/${former}`)
    await expect(chat.page.getByRole('heading', { level: 1, name: 'Tools' })).toBeVisible()
    await expect(chat.page).toHaveURL(`${chat.url}/workspace/tools`)
  }
})

test('the kinds of tools are reached and chosen with the keyboard', async ({ ownTools }) => {
  await ownTools.addButton.focus()
  await ownTools.page.keyboard.press('Enter')
  await ownTools.page.keyboard.press('End')
  await expect(ownTools.page.getByRole('menuitem', { name: 'Python code' })).toBeFocused()
  await ownTools.page.keyboard.press('Enter')
  await expect(ownTools.page).toHaveURL(/workspace\/tools\?id=$/)
})
