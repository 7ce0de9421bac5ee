import { addAccount, settleIn } from '../accounts.ts'
import { expect, test as base } from '../fixtures.ts'
import { SettingsPage } from '../pages/settings-page.ts'
import type { TestGateway } from '../fixtures.ts'

/** The connections of a gateway that starts without any. */
const test = base.extend<{ own: TestGateway; connections: SettingsPage }>({
  own: ({ startOwnGateway }, use) =>
    startOwnGateway({ OPENAI_API_BASE_URLS: '', OPENAI_API_KEYS: '' }).then(use),
  connections: async ({ page, own }, use) => {
    await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
    const settings = new SettingsPage(page, own.url)
    await settings.open('connections')
    await use(settings)
  },
})

const SECRET = 'sk-secret-of-a-person-0123456789'

test('a connection is tried before it is added, and its key is never shown again', async ({
  connections,
  own,
  upstream,
}) => {
  await expect(connections.page.getByText('No connections yet')).toBeVisible()
  const form = await connections.startAddingConnection()
  await form.address.fill('http://127.0.0.1:9')
  await form.verify()
  await expect(form.result).toContainText('nothing is listening at its address')
  await form.address.fill(upstream.url)
  await expect(form.result).toBeEmpty()
  await form.key.fill(SECRET)
  await form.name.fill('Scripted')
  await form.verify()
  await expect(form.result).toContainText('2 models available')
  await expect(form.result).toContainText('text, reasoning')
  await form.saveButton.click()
  await expect(connections.connection('Scripted')).toContainText('2 models')
  await connections.page.reload()
  await expect(connections.connection('Scripted')).toBeVisible()
  expect(await connections.page.content()).not.toContain(SECRET)
  expect(
    await (await connections.page.request.get(`${own.url}/api/v1/connections`)).text(),
  ).not.toContain(SECRET)
  expect(own.log()).not.toContain(SECRET)
  expect(
    upstream.requests.some(({ headers }) => headers.authorization === `Bearer ${SECRET}`),
  ).toBe(true)
})

test('a connection that fails says why, in its place', async ({ connections }) => {
  const form = await connections.startAddingConnection()
  await form.address.fill('http://127.0.0.1:9')
  await form.name.fill('Nobody there')
  await form.saveButton.click()
  await expect(form.result).toContainText('nothing is listening at its address')
  await expect(form.saveButton).toHaveText('Add anyway')
  await form.saveButton.click()
  const card = connections.connection('Nobody there')
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Test “Nobody there”' }).click()
  await expect(card).toContainText('not working')
  await expect(card).toContainText('nothing is listening at its address')
})

test('an address of another kind is refused at once', async ({ connections }) => {
  const form = await connections.startAddingConnection()
  await form.address.fill('ftp://example.org/')
  await form.saveButton.click()
  await expect(form.root.getByRole('alert')).toContainText('must start with http:// or https://')
  await expect(form.address).toHaveValue('ftp://example.org/')
})

test('a prefix and a list of models decide what is offered; changes and removal take effect', async ({
  connections,
  upstream,
}) => {
  const form = await connections.startAddingConnection()
  await form.address.fill(upstream.url)
  await form.name.fill('Scripted')
  await form.showMore()
  await form.models.fill('text')
  await form.prefix.fill('mine')
  await form.saveButton.click()
  await expect(connections.connection('Scripted')).toBeVisible()
  await connections.backLink.click()
  const modelButton = connections.page.getByRole('button', { name: 'Model: ' })
  await modelButton.click()
  await expect(connections.page.getByRole('option')).toHaveText([/text/, /Guide/])
  await connections.open('connections')
  await connections.chooseForConnection('Scripted', 'Edit')
  const dialog = connections.page.getByRole('dialog', { name: 'Edit “Scripted”' })
  await dialog.getByLabel('Name', { exact: true }).fill('Renamed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(connections.connection('Renamed')).toBeVisible()
  await connections.chooseForConnection('Renamed', 'Remove')
  await connections.page
    .getByRole('dialog', { name: 'Remove “Renamed”?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(connections.note('“Renamed” was removed.')).toBeVisible()
  await expect(connections.page.getByText('No connections yet')).toBeVisible()
})

base(
  'a connection of the environment says where its address is set; the rest can be changed here and taken back',
  async ({ settings }) => {
    await settings.open('connections')
    const card = settings.connection('Address from the environment')
    await expect(card).toContainText('Address from the environment: OPENAI_API_BASE_URLS')
    const name = await card.locator('bdi').first().innerText()
    await card.getByRole('button', { name: 'Edit “' }).click()
    const dialog = settings.page.getByRole('dialog', { name: 'Edit “' })
    await expect(dialog.getByLabel('Address', { exact: true })).toBeDisabled()
    await expect(dialog).toContainText(
      'Set by the environment variable OPENAI_API_BASE_URLS when the gateway was started',
    )
    await dialog.getByText('More settings').click()
    await dialog.getByLabel('Prefix', { exact: true }).fill('own')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(card).toContainText('Changed here: prefix.')
    await settings.chooseForConnection(name, 'Discard changes')
    await settings.page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
    await expect(card).not.toContainText('Changed here')
  },
)
