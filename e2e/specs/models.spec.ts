import { startFakeRuntime } from '../../server/testing/fake-upstream/fake-runtime.ts'
import {
  type FakeUpstream,
  reply,
  startFakeServer,
} from '../../server/testing/fake-upstream/fake-server.ts'
import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

/** Starts a local runtime that runs one of its two models on a remote computer. */
function startMixedRuntime(): Promise<FakeUpstream> {
  const details = {
    format: 'gguf',
    family: 'fake',
    families: ['fake'],
    parameter_size: '8B',
    quantization_level: 'Q4_0',
  }
  const row = (name: string) => ({
    name,
    model: name,
    modified_at: '2024-05-01T12:00:00Z',
    size: 1,
    digest: name,
    details,
  })
  return startFakeServer('', ({ recorded, response }) => {
    if (recorded.path === '/api/tags') {
      return reply(response, 200, {
        models: [
          row('small-mind'),
          { ...row('distant-mind'), remote_host: 'https://far-away.example' },
        ],
      })
    }
    return recorded.path === '/api/version'
      ? reply(response, 200, { version: '0.12.3' })
      : reply(response, 404, { error: 'not found' })
  })
}

test('the picker shows models by connection and says of each whether words leave the computer', async ({
  page,
  startOwnGateway,
}) => {
  const runtime = await startMixedRuntime()
  const gateway = await startOwnGateway({ LLMHOST_BASE_URLS: runtime.url })
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.modelButton.click()
  await expect(page.getByRole('option', { name: 'small-mind' })).toContainText('on this computer')
  await expect(page.getByRole('option', { name: 'distant-mind' })).toContainText(
    'leaves this computer',
  )
  await expect(page.getByRole('group', { name: 'Built in' })).toContainText('Guide (not an AI)')
  await expect(page.getByRole('group', { name: 'Local runtime' }).getByRole('option')).toHaveCount(
    2,
  )
  await runtime.close()
})

test('the picker is searched and used with the keyboard alone, and the choice is kept', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.modelButton.focus()
  await chat.page.keyboard.press('Enter')
  await chat.page.keyboard.type('reason')
  await expect(chat.page.getByRole('option')).toHaveText([/reasoning/])
  await chat.page.keyboard.press('Enter')
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await expect(chat.composer).toBeFocused()
  await chat.page.reload()
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await chat.ask('/echo with reasoning')
  await chatList.newChatButton.click()
  await chat.chooseModel('text')
  await chatList.row('/echo with reasoning').click()
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
})

test('a name that is pasted into the picker is taken with Enter', async ({ chat }) => {
  await chat.open()
  await chat.chooseModel('text')
  await chat.modelButton.click()
  await chat.page.getByRole('combobox', { name: 'Choose a model' }).fill('reasoning')
  await expect(chat.page.getByRole('option')).toHaveText([/reasoning/])
  await expect(chat.page.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  await chat.page.keyboard.press('Enter')
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
})

test('a search without a match says so, and Escape closes the picker', async ({ chat }) => {
  await chat.open()
  await chat.modelButton.click()
  await chat.page.keyboard.type('no such model')
  await expect(chat.page.getByText('No model matches “no such model”.')).toBeVisible()
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('combobox', { name: 'Choose a model' })).toHaveCount(0)
  await expect(chat.modelButton).toBeFocused()
})

test('the page for a new chat says where words go', async ({ chat }) => {
  await chat.open()
  await expect(chat.page.getByText('Runs on this computer')).toBeVisible()
})

test('without a model for them, members are told whom to ask', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({
    OPENAI_API_BASE_URLS: '',
    OPENAI_API_KEYS: '',
    BYPASS_MODEL_ACCESS_CONTROL: 'false',
  })
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await expect(chat.modelButton).toHaveAccessibleName('Model: Guide (not an AI)')
  await chat.modelButton.click()
  await expect(page.getByRole('button', { name: 'Connect another model…' })).toHaveCount(0)
})

test('an administrator reaches the connections from the picker', async ({ chat }) => {
  await chat.open()
  await chat.modelButton.click()
  await chat.page.getByRole('button', { name: 'Connect another model…' }).click()
  await expect(chat.page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible()
})

test('a person who may create models begins one from the picker', async ({ chat }) => {
  await chat.open()
  await chat.modelButton.click()
  await expect(chat.page.getByRole('combobox', { name: 'Choose a model' })).toBeFocused()
  await chat.page.getByRole('button', { name: 'Create your own…' }).click()
  await expect(chat.page).toHaveURL(/\/workspace\/models\?id=$/)
})

test('a local runtime answers over its own interface', async ({ page, startOwnGateway }) => {
  const runtime = await startFakeRuntime({ models: ['text'] })
  const gateway = await startOwnGateway({
    OPENAI_API_BASE_URLS: '',
    OPENAI_API_KEYS: '',
    LLMHOST_BASE_URLS: runtime.url,
  })
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.chooseModel('text')
  await expect(await chat.ask('/echo from the runtime')).toContainText('from the runtime')
  await runtime.close()
})

test('the picker leaves out what all models can do and marks one from the menu of its row', async ({
  chat,
}) => {
  await chat.open()
  await chat.modelButton.click()
  const picker = chat.page.getByRole('dialog', { name: 'Choose a model' })
  const row = picker.getByRole('option', { name: 'text' }).first()
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('reads images')
  await row.hover()
  await row.getByTitle('Actions for “text”').click()
  await expect(chat.page.getByRole('menuitem', { name: 'Pin' })).toBeVisible()
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await chat.page.getByRole('menuitem', { name: 'Use for new chats' }).click()
  await expect(row).toContainText('your default')
  await expect(picker.getByRole('combobox')).toBeFocused()
  await chat.page.keyboard.press('Tab')
  await chat.page.keyboard.press('Tab')
  await expect(picker.getByRole('button', { name: 'Actions for “text”' })).toBeFocused()
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Enter')
  await chat.page.getByRole('menuitem', { name: 'No longer use for new chats' }).press('Enter')
  await expect(row).not.toContainText('your default')
  await expect(picker.getByRole('button', { name: 'Actions for “text”' })).toBeFocused()
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the menu of a row is there without hovering, and does not choose its model', async ({
    chat,
  }) => {
    await chat.open()
    await chat.chooseModel('text')
    await chat.modelButton.tap()
    const picker = chat.page.getByRole('dialog', { name: 'Choose a model' })
    const row = picker.getByRole('option', { name: 'reasoning' })
    const button = row.getByTitle('Actions for “reasoning”')
    await expect(button).toHaveCSS('opacity', '1')
    expect(await button.boundingBox()).toMatchObject({ width: 44, height: 44 })
    await button.tap()
    await chat.page.getByRole('menuitem', { name: 'Pin' }).tap()
    await expect(picker.getByRole('group', { name: 'Pinned' })).toContainText('reasoning')
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await expect(chat.modelButton).toHaveAccessibleName('Model: text')
  })

  test('a long name in the message box is one line, and whole in the picker', async ({
    page,
    startOwnGateway,
  }) => {
    const name = 'meta-llama-3.3-70b-instruct-long-context'
    const runtime = await startFakeRuntime({ models: [name] })
    const gateway = await startOwnGateway({
      OPENAI_API_BASE_URLS: '',
      OPENAI_API_KEYS: '',
      LLMHOST_BASE_URLS: runtime.url,
    })
    await settleIn(page.context(), gateway, ADMIN)
    const chat = new ChatPage(page, gateway.url)
    await chat.open()
    await chat.chooseModel(name)
    const words = chat.modelButton.locator('bdi:visible')
    expect((await words.boundingBox())!.height).toBeLessThan(24)
    await expectAccessible(page)
    await chat.modelButton.tap()
    const whole = page.getByRole('option', { name }).locator('bdi').first()
    expect(await whole.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
    await runtime.close()
  })
})
