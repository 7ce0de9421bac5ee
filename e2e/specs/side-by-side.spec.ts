import type { Locator } from '@playwright/test'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatToolsPage } from '../pages/chat-tools-page.ts'
import { SideBySidePage } from '../pages/side-by-side-page.ts'

test('one question goes to two models, whose answers stand side by side and are there again after a reload', async ({
  chat,
}) => {
  const compare = new SideBySidePage(chat.page)
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/echo the same for both')
  await expect(compare.columns).toHaveCount(2)
  await compare.finished()
  await expect(compare.columns.nth(0)).toContainText('the same for both')
  await expect(compare.columns.nth(1)).toContainText('the same for both')
  await expectAccessible(chat.page)
  await chat.page.reload()
  await expect(compare.columns).toHaveCount(2)
  await expect(chat.userMessages).toHaveCount(1)
  await expect(chat.page.getByRole('button', { name: 'Do not ask reasoning' })).toBeVisible()
})

test('the question, the answers and the message box lie in one grid, with heads of one height', async ({
  chat,
}) => {
  const compare = new SideBySidePage(chat.page)
  await chat.page.setViewportSize({ width: 1280, height: 800 })
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/echo one grid')
  await compare.finished()
  const edges = async (part: Locator): Promise<readonly [number, number]> => {
    const { x, width } = (await part.boundingBox())!
    return [x, x + width]
  }
  const [start] = await edges(compare.columns.nth(0))
  const [, end] = await edges(compare.columns.nth(1))
  const [boxStart, boxEnd] = await edges(chat.page.locator('form').filter({ has: chat.composer }))
  const [, bubbleEnd] = await edges(chat.userMessages.last().locator('[dir=auto]').first())
  expect(Math.abs(boxStart - start)).toBeLessThan(2)
  expect(Math.abs(boxEnd - end)).toBeLessThan(2)
  expect(Math.abs(bubbleEnd - end)).toBeLessThan(2)
  const heads = await compare.columns
    .locator('header')
    .evaluateAll((all) => all.map((head) => head.getBoundingClientRect().height))
  expect(new Set(heads).size).toBe(1)
})

test('a chosen answer is gone on with, and the others stay a click away', async ({ chat }) => {
  const compare = new SideBySidePage(chat.page)
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/echo choose one')
  await expect(compare.columns).toHaveCount(2)
  await compare.finished()
  await compare.keep(compare.columns.nth(1))
  await expect(compare.columns).toHaveCount(0)
  await expect(chat.answers).toHaveCount(1)
  await chat.page.getByRole('button', { name: 'Do not ask reasoning' }).click()
  await chat.ask('/echo and on')
  await expect(chat.answers).toHaveCount(2)
  await compare.showButton.click()
  await expect(compare.columns).toHaveCount(2)
  await chat.page.reload()
  await expect(compare.showButton).toBeVisible()
  await expect(chat.answers.last()).toContainText('and on')
})

test('one of the answers can be stopped while the other goes on, and written again alone', async ({
  chat,
}) => {
  const compare = new SideBySidePage(chat.page)
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/slow 60')
  // An answer without any text is stopped as well, but shows a different message.
  await expect(compare.columns.nth(0)).toContainText('word1')
  await compare.columns.nth(0).getByRole('button', { name: 'Stop text' }).click()
  await expect(compare.columns.nth(0)).toContainText('Stopped.')
  await expect(compare.columns.nth(1)).toContainText('word60')
  await expect(compare.columns.nth(1)).not.toContainText('Stopped.')
  await compare.finished()
  await compare.columns.nth(0).getByRole('button', { name: 'Regenerate' }).click()
  await expect(chat.versions(compare.columns.nth(0))).toContainText('Version 2 of 2')
  await expect(compare.columns.nth(0)).toContainText('word60')
  await expect(compare.columns).toHaveCount(2)
})

test('answers are merged into one, which is stored and gone on with', async ({ chat }) => {
  const compare = new SideBySidePage(chat.page)
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/echo to be merged')
  await expect(compare.columns).toHaveCount(2)
  await compare.finished()
  await compare.mergeButton.click()
  await expect(chat.page.getByText('Merged from 2 answers')).toBeVisible()
  await chat.finished(chat.answers.last())
  await chat.page.reload()
  await expect(chat.page.getByText('Merged from 2 answers')).toBeVisible()
  await expect(chat.answers).toHaveCount(1)
})

test.describe('in dark', () => {
  test.use({ colorScheme: 'dark' })

  test('there is no accessibility fault in answers side by side, the map, the controls and the totals', async ({
    chat,
  }) => {
    const compare = new SideBySidePage(chat.page)
    const tools = new ChatToolsPage(chat.page)
    await chat.open()
    await compare.add('reasoning')
    await chat.send('/echo in the dark')
    await expect(compare.columns).toHaveCount(2)
    await compare.finished()
    await tools.choose('Branch map')
    await expect(tools.mapRows).toHaveCount(3)
    await expectAccessible(chat.page)
    await tools.openControls()
    await expect(tools.controls).toBeVisible()
    await expectAccessible(chat.page)
    await tools.choose('Tokens and cost')
    await expect(tools.totals.getByRole('table')).toBeVisible()
    await expectAccessible(chat.page)
  })
})

test.describe('on a narrow window', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('one answer is shown at a time, behind tabs the arrow keys move between', async ({
    chat,
  }) => {
    const compare = new SideBySidePage(chat.page)
    await chat.open()
    await compare.add('reasoning')
    await chat.send('/echo narrow')
    await expect(compare.tabs).toHaveCount(2)
    await expect(compare.columns).toHaveCount(1)
    await compare.tabs.first().focus()
    await chat.page.keyboard.press('ArrowRight')
    await expect(compare.tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
    await compare.finished()
    await expectAccessible(chat.page)
    const overflow = await chat.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  })
})
