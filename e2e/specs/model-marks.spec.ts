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
  await expect(chat.page.getByRole('option').first()).toContainText('pinned')
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await expect(second.page.getByRole('option').first()).toContainText('reasoning')

  const first = chat.page.getByRole('option').first()
  await first.hover()
  const isUnpinned = saved(chat.page)
  await first.locator('[title="Unpin"]').click()
  await isUnpinned
  await expect(option(chat.page, 'reasoning')).not.toContainText('pinned')
  await expect(option(second.page, 'reasoning')).not.toContainText('pinned')
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
