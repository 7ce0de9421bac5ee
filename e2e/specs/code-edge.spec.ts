import type { Locator } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const LONG = `/echo code\n\n\`\`\`js\nconst words = '${'word '.repeat(60)}'\n\`\`\``

test('code lines scroll beside each other in a wide window and wrap on a phone', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask(LONG)
  const code = chat.answers.last().locator('pre')
  const hidden = () => code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)
  await expect.poll(hidden).toBeGreaterThan(100)
  const fade = () => code.evaluate((pre) => getComputedStyle(pre).getPropertyValue('--edge-fade'))
  await expect.poll(fade).toBe('40px')
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await chat.page.reload()
  await expect(code).toHaveAttribute('data-wrapped')
  await expect.poll(hidden).toBe(0)
})

test('a panel with more below fades at its end until it is scrolled there', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 1280, height: 600 })
  await chat.open()
  await chat.page.getByRole('button', { name: /^Tools/ }).click()
  const panel = chat.page.getByRole('dialog', { name: 'Tools' })
  await expect(panel).toBeInViewport({ ratio: 1 })
  const fadeOf = (box: Locator) =>
    box.evaluate((element) => {
      const { content, opacity } = getComputedStyle(element, '::after')
      return content === 'none' ? null : Number(opacity)
    })
  await expect.poll(() => fadeOf(panel)).toBe(1)
  await panel.evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect.poll(() => fadeOf(panel)).toBe(0)
  await chat.page.setViewportSize({ width: 1280, height: 1400 })
  await expect.poll(() => fadeOf(panel)).toBe(0)
  await chat.page.keyboard.press('Escape')
  await chat.page.setViewportSize({ width: 1280, height: 400 })
  await chat.modelButton.click()
  await expect.poll(() => fadeOf(chat.page.getByRole('listbox'))).toBe(1)
  expect(await fadeOf(chat.page.getByRole('dialog', { name: 'Choose a model' }))).toBeNull()
})
