import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'

test('a model is made out of another one, tried before it is saved, and chosen in a chat', async ({
  page,
  startOwnGateway,
  upstream,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await page.getByRole('button', { name: 'New model' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Brief Helper')
  await page.getByLabel('Base model').selectOption({ label: 'text · 127.0.0.1' })
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.')
  await page.getByRole('spinbutton', { name: 'Temperature' }).fill('0.3')
  await workspace.tryOut('/echo a preview')
  // The question and its echo; before sending there is only the question.
  await expect(
    workspace.preview.getByRole('log').getByText('/echo a preview', { exact: true }),
  ).toHaveCount(2)
  // Requests of other tests of this worker may still arrive after this one.
  const asked = upstream.requests.findLast(
    ({ json }) => (json as { temperature?: number } | null)?.temperature === 0.3,
  )
  expect(asked?.json).toMatchObject({
    model: 'text',
    temperature: 0.3,
    messages: [{ role: 'system', content: 'Be brief.' }, {}],
  })
  await workspace.save()
  await expect(page).toHaveURL(/id=brief-helper$/)
  await page.getByRole('link', { name: 'All models' }).click()
  await expect(workspace.row('Brief Helper')).toContainText('on this computer')
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await expect(chat.chatList.getByRole('link', { name: '/echo a preview' })).toHaveCount(0)
  await chat.chooseModel('Brief Helper')
  await expect(await chat.ask('/echo in earnest')).toContainText('in earnest')
})

test('a new model begins with name, base model and instructions, all on the first screen', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  await page.setViewportSize({ width: 1280, height: 800 })
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await page.getByRole('button', { name: 'New model' }).click()
  for (const field of [
    page.getByRole('textbox', { name: 'Name' }),
    page.getByLabel('Base model'),
    page.getByRole('textbox', { name: 'Instructions' }),
    workspace.preview,
  ])
    await expect(field).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Description')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Name' }).fill('text')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByText('More: description, tags, ID').click()
  // The model of the connection has this name as its id.
  await expect(page.getByLabel('ID', { exact: true })).toHaveAttribute('placeholder', 'text-2')
  await page.getByRole('textbox', { name: 'Name' }).fill('')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
})

test('on a phone a new model is tried in a sheet, whose answers stay when it is closed', async ({
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await settleIn(context, gateway, ADMIN)
  const page = await context.newPage()
  await page.goto(`${gateway.url}/workspace/models?id=`)
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Base model').selectOption({ label: 'text · 127.0.0.1' })
  const tryIt = page.getByRole('button', { name: 'Try it' })
  await tryIt.click()
  const sheet = page.getByRole('dialog', { name: 'Preview' })
  await sheet.getByRole('textbox', { name: 'Test message' }).fill('/echo a preview')
  await sheet.getByRole('button', { name: 'Send to preview' }).click()
  await expect(sheet.getByText('/echo a preview', { exact: true })).toHaveCount(2)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(tryIt).toBeFocused()
  await tryIt.click()
  await expect(sheet.getByText('/echo a preview', { exact: true })).toHaveCount(2)
  await context.close()
})

test('a form that was left comes back as it was, until it is discarded', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await workspace.row('text').getByRole('link', { name: 'text', exact: true }).click()
  await page.getByText('More: description, tags, ID').click()
  await page.getByLabel('Description').fill('The plain one')
  await page.getByRole('link', { name: 'All models' }).click()
  await workspace.row('text').getByRole('link', { name: 'text', exact: true }).click()
  await expect(page.getByLabel('Description')).toHaveValue('The plain one')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await expect(page.getByLabel('Description')).toHaveValue('')
})

test('who leaves while a new model is being saved is not pulled back', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await workspace.choose('text', 'Create a model based on it')
  await page.getByLabel('Name', { exact: true }).fill('Slow')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/models/create', async (route) => {
    await held.promise
    await route.continue()
  })
  await workspace.save()
  await page.getByRole('link', { name: 'All models' }).click()
  held.resolve()
  await expect(page.getByText('“Slow” was saved.').first()).toBeVisible()
  await expect(workspace.row('Slow')).toBeVisible()
  await expect(page).toHaveURL(/models$/)
})

test('a model is hidden from the picker, pinned in it, copied, deleted and brought back', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await page.getByRole('switch', { name: 'Show “reasoning” in lists' }).click()
  await expect(workspace.row('reasoning')).toContainText('changed')
  await workspace.choose('text', 'Pin for everyone')
  await expect(workspace.row('text')).toContainText('pinned')
  await workspace.choose('text', 'Create a model based on it')
  await page.getByLabel('Name', { exact: true }).fill('Second')
  await workspace.save()
  await page.getByRole('link', { name: 'All models' }).click()
  await workspace.choose('Second', 'Delete')
  await expect(workspace.row('Second')).toHaveCount(0)
  await workspace.undo()
  await expect(workspace.row('Second')).toBeVisible()
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.modelButton.click()
  await expect(page.getByRole('option', { name: 'Second' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Pinned' }).getByRole('option')).toHaveText([
    /^text/,
  ])
  await expect(page.getByRole('option', { name: 'reasoning' })).toHaveCount(0)
})

test('a model is shared with a person and the one it is built on with everybody, and the person finds it', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ BYPASS_MODEL_ACCESS_CONTROL: 'false' })
  const friend = await addAccount(gateway, gateway.adminToken, 'user', 'Friend Of Ada')
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('models')
  await workspace.choose('text', 'Create a model based on it')
  await page.getByLabel('Name', { exact: true }).fill('For a friend')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('option', { name: 'Friend Of Ada' }).click()
  await expect(page.getByLabel('Access for Friend Of Ada', { exact: true })).toHaveValue('read')
  await workspace.save()
  await expect(page).toHaveURL(/id=for-a-friend$/)
  await workspace.open('models')
  await workspace.choose('text', 'Edit')
  await page.getByRole('switch', { name: 'Everyone signed in' }).click()
  await workspace.save()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  const context = await browser.newContext()
  await settleIn(context, gateway, friend)
  const chat = new ChatPage(await context.newPage(), gateway.url)
  await chat.open()
  await chat.chooseModel('For a friend')
  await context.close()
})

test('the price table is filled and kept', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('prices')
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByLabel('Model or pattern, row 1').fill('text*')
  await page.getByLabel('Input, row 1').fill('2,50')
  await page.getByLabel('Output, row 1').fill('10')
  await page.getByLabel('Currency, row 1').fill('eur')
  await workspace.save()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Prices saved')
  await page.reload()
  await expect(page.getByLabel('Input, row 1')).toHaveValue('2.5')
  await expect(page.getByLabel('Currency, row 1')).toHaveValue('EUR')
})

test('an arena is set up and stands in the picker', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('arena')
  const offer = page.getByRole('switch', { name: 'Enable arenas' })
  if ((await offer.getAttribute('aria-checked')) === 'false') await offer.click()
  await page.getByRole('button', { name: 'Add arena' }).click()
  await workspace.dialog.getByLabel('Name', { exact: true }).fill('Blind test')
  await workspace.dialog.getByRole('checkbox', { name: /^text/ }).check()
  await workspace.save()
  await expect(workspace.row('Blind test')).toContainText('text')
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.chooseModel('Blind test')
})
