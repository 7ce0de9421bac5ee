import type { Page } from '@playwright/test'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

const option = (page: Page, name: string) => page.getByRole('option', { name: new RegExp(name) })
const saved = (page: Page) =>
  page.waitForResponse((reply) => reply.url().endsWith('/users/user/settings/update') && reply.ok())

test('a model is pinned by key and pointer, and other windows and later visits know it', async ({
  chat,
  context,
  gateway,
}) => {
  await chat.open()
  const second = new ChatPage(await context.newPage(), gateway.url)
  await second.open()
  await second.modelButton.click()
  await chat.modelButton.click()
  const box = chat.page.getByRole('combobox', { name: 'Choose a model' })
  await box.fill('reasoning')
  await expect(option(chat.page, 'reasoning')).toHaveCount(1)
  const isKept = saved(chat.page)
  await box.press('Alt+p')
  await isKept
  await box.fill('')
  await expect(chat.page.getByRole('option').first()).toContainText('reasoning')
  const pinned = chat.page.getByRole('group', { name: 'Pinned' })
  await expect(pinned).toContainText('reasoning')
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await expect(second.page.getByRole('option').first()).toContainText('reasoning')

  const first = chat.page.getByRole('option').first()
  await first.hover()
  const isUnpinned = saved(chat.page)
  await first.getByTitle('Actions for “reasoning”').click()
  await chat.page.getByRole('menuitem', { name: 'Unpin' }).click()
  await isUnpinned
  await expect(pinned).toHaveCount(0)
  await expect(second.page.getByRole('group', { name: 'Pinned' })).toHaveCount(0)
})

test('a model of a known family has the mark of the family, and another one a letter', async ({
  chat,
}) => {
  await chat.page.route('**/api/models*', async (route) => {
    const reply = await route.fetch()
    const { data } = (await reply.json()) as { data: { id: string }[] }
    const known = { ...data.find(({ id }) => id === 'text'), id: 'qwen3-32b', name: 'Family' }
    await route.fulfill({ json: { data: [...data, known] } })
  })
  await chat.open()
  await chat.modelButton.click()
  const family = option(chat.page, 'Family')
  await family.scrollIntoViewIfNeeded()
  await expect(family.locator('[data-mark] path')).toBeVisible()
  await expect(family.locator('img')).toHaveCount(0)
  const other = option(chat.page, 'reasoning')
  await expect(other.locator('img')).toBeVisible()
  await expect(other.locator('[data-mark]')).toHaveCount(0)
  await expectAccessible(chat.page, BOTH_SCHEMES)
})

test('new chats begin with the model a person always begins with, whatever was chosen last', async ({
  chat,
}) => {
  await chat.open()
  await chat.modelButton.click()
  const box = chat.page.getByRole('combobox', { name: 'Choose a model' })
  await box.fill('reasoning')
  await expect(option(chat.page, 'reasoning')).toHaveCount(1)
  const isKept = saved(chat.page)
  await box.press('Alt+d')
  await isKept
  await chat.page.keyboard.press('Escape')
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await chat.chooseModel('text')
  await chat.ask('/echo once with another')
  await chat.page.getByRole('button', { name: 'New chat' }).first().click()
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await chat.page.reload()
  await chat.ready()
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
})
