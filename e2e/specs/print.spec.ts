import { getDocumentProxy, extractText } from 'unpdf'
import { createChat } from '../chat-api.ts'
import { expect, test } from '../fixtures.ts'
import { PalettePage } from '../pages/palette-page.ts'

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n\n')
const ANSWER = `# Tides

Read [the almanac](https://example.org/tides) and \`tide --help\`.

| Port | High |
|---|---|
| Porto | 06:12 |

\`\`\`ts
const answer = '${'a very long line of code '.repeat(12)}'
\`\`\`

${LINES}
`

test('a printed chat is a document: title, day and model, no controls, code wrapped, links with their address, light', async ({
  chat,
}) => {
  const { page, url } = chat
  const id = await createChat(page.request, url, 'About tides', {
    question: 'When is high water?',
    answer: ANSWER,
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await chat.open(`/c/${id}`)
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await new PalettePage(page).run('Print chat')
  await page.locator('html[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const sheet = page.locator('.print-sheet')
  const year = String(new Date().getFullYear())
  await expect(sheet.locator('header')).toContainText(new RegExp(`About tides.*${year}.*text`))
  await expect(sheet.getByRole('button')).toHaveCount(0)
  await expect(sheet).toHaveCSS('color-scheme', 'light')
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  const code = sheet.locator('pre')
  expect(await code.evaluate((block) => block.scrollWidth <= block.clientWidth + 1)).toBe(true)
  await expect(code).toHaveCSS('break-inside', 'avoid')

  const printed = await getDocumentProxy(
    new Uint8Array(await page.pdf({ preferCSSPageSize: true })),
  )
  const { text, totalPages } = await extractText(printed, { mergePages: true })
  expect(totalPages).toBeGreaterThan(1)
  expect(text).toContain('the almanac (https://example.org/tides)')
  expect(text).toContain('line 60')
  expect(text).not.toContain('Write a message')
})
