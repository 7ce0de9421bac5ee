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
