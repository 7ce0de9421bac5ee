import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AttachmentsPage } from '../pages/attachments-page.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { ChatToolsPage } from '../pages/chat-tools-page.ts'
import { SideBySidePage } from '../pages/side-by-side-page.ts'

const LEASE = [
  '# Lease of the bakery',
  '## Rent',
  'The rent is 1,450 a month and due on the third working day.',
  '## Notice',
  'Either side may end the lease with three months of notice to the end of a quarter.',
].join('\n\n')

const lease = { name: 'lease.md', mimeType: 'text/markdown', content: LEASE }

test('a file is attached, asked about, cited in the answer and opened at the passage', async ({
  chat,
}) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(lease)
  await expect(attachments.chip('lease.md')).toContainText('matching parts')
  await expectAccessible(chat.page)
  const answer = await chat.ask('How long is the notice to end the lease?')
  await expect(attachments.list).toHaveCount(0)
  await expect(chat.userMessages.last()).toContainText('lease.md')
  await attachments.citation(answer, 1).click()
  await expect(attachments.viewer.locator('mark')).toContainText('three months of notice')
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Escape')
  await expect(attachments.viewer).toHaveCount(0)
  await chat.page.reload()
  await expect(attachments.citation(chat.answers.last(), 1)).toBeVisible()
  await chat.answers.last().getByRole('button', { name: '1 source' }).click()
  await expect(chat.answers.last().getByRole('list', { name: 'Sources' })).toContainText('lease.md')
})

const FIXTURES = path.join(import.meta.dirname, '../../server/retrieval/extraction/fixtures')
const report = {
  name: 'report.pdf',
  mimeType: 'application/pdf',
  content: readFileSync(path.join(FIXTURES, 'report.pdf')),
}

/** Returns a PDF file of one page with one picture of a single colour. */
function toScan(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 280] /Contents 4 0 R /Resources << /XObject << /Scan 5 0 R >> >> >>',
    '<< /Length 32 >>\nstream\nq 200 0 0 280 0 0 cm /Scan Do Q\nendstream',
    '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length 7 >>\nstream\nC81E3C>\nendstream',
  ]
  return Buffer.from(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer << /Root 1 0 R /Size 6 >>\n%%EOF\n`,
  )
}

test('a citation opens a PDF file at its page with the passage marked', async ({ chat }) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(report)
  await expect(attachments.chip('report.pdf')).toContainText('matching parts')
  const answer = await chat.ask('What does the second page tell about the new pier?')
  await attachments.citation(answer, 1).click()
  const { viewer } = attachments
  await expect(
    viewer
      .getByRole('region', { name: /^Page \d of 2$/ })
      .locator('mark')
      .first(),
  ).toBeVisible()
  await expectAccessible(chat.page)
  await viewer.getByRole('textbox', { name: 'Page' }).fill('1')
  await viewer.getByRole('textbox', { name: 'Page' }).press('Enter')
  await expect(viewer.getByRole('region', { name: 'Page 1 of 2' })).toContainText(
    'Harbour report 2025',
  )
  await viewer.getByRole('button', { name: 'Next page' }).click()
  await expect(viewer.getByRole('region', { name: 'Page 2 of 2' })).toContainText('the new pier')
  await expect(viewer.getByRole('button', { name: 'Next page' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const before = await viewer.locator('.pdf-page').boundingBox()
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect
    .poll(async () => (await viewer.locator('.pdf-page').boundingBox())!.width)
    .toBeGreaterThan(before!.width)
  await expect(viewer.getByText('The passage')).toBeHidden()
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await expect(viewer.getByRole('figure', { name: 'The passage' })).toContainText('the new pier')
  await viewer.getByRole('button', { name: 'Text', exact: true }).click()
  await expect(viewer.locator('mark')).toBeVisible()
  await expect(viewer.getByRole('columnheader')).toHaveText(['Month', 'Ships', 'Tonnes'])
  await expect(viewer).not.toContainText('| --- |')
  await expectAccessible(chat.page, BOTH_SCHEMES)
})

test('on a phone a PDF and a cited passage open as text, and one tap shows the page', async ({
  chat,
}) => {
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(report)
  const chip = attachments.chip('report.pdf')
  await expect(chip).toContainText('matching parts')
  await chip.getByRole('button', { name: 'Open “report.pdf”' }).click()
  await expect(attachments.dialog).toContainText('Harbour report 2025')
  await expect(attachments.dialog.locator('.pdf-page')).toHaveCount(0)
  await chat.page.keyboard.press('Escape')
  const answer = await chat.ask('What does the second page tell about?')
  await attachments.citation(answer, 1).click()
  const { viewer } = attachments
  await expect(viewer.locator('mark').filter({ hasText: 'Page 2' })).toBeInViewport()
  await expect(viewer.locator('.pdf-page')).toHaveCount(0)
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await viewer.getByRole('button', { name: 'Pages' }).click()
  const line = viewer.locator('.pdf-page mark').first()
  await expect(line).toBeInViewport()
  expect((await viewer.locator('.pdf-page').boundingBox())!.width).toBeGreaterThan(390)
  const { x, width } = (await line.boundingBox())!
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(390)
  await expectAccessible(chat.page, BOTH_SCHEMES)
})

/** Returns a PDF file with one line of text on each page. */
function toPdf(lines: readonly string[]): Buffer {
  const pages = lines.map((_, index) => 4 + 2 * index)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, index) => {
      const sentences = line.split('|').map((part) => `(${part}) Tj 0 -20 Td`)
      const stream = `BT /F1 12 Tf 40 700 Td ${sentences.join(' ')} ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  return Buffer.from(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`,
  )
}

const handbook = {
  name: 'handbook.pdf',
  mimeType: 'application/pdf',
  content: toPdf([
    'Handbook of the bakery on the harbour.|It was written for everybody who works here.',
    'Flour is bought from the mill in the valley.|The mill delivers twice in every week of the year.',
    'The oven is cleaned by the last person in the house.|Nobody leaves before the embers are cold.',
    'Holidays are thirty days in every year of work.|They are asked for four weeks before they begin.|Whoever falls ill says so before seven in the morning.',
    'The till is counted in the evening by two people.|What is missing is written into the red book.',
  ]),
}

for (const reading of ['matching parts', 'whole text'] as const) {
  test(`a citation of a PDF file of several pages that was ${reading} opens its page, with only the sentence marked`, async ({
    chat,
  }) => {
    await chat.open()
    const attachments = new AttachmentsPage(chat.page)
    await attachments.attach(handbook)
    const chip = attachments.chip('handbook.pdf')
    await expect(chip).toContainText('matching parts')
    if (reading === 'whole text') {
      await chip.getByRole('button', { name: 'Read all of “handbook.pdf”' }).click()
      await expect(chip).toContainText('whole text')
    }
    const answer = await chat.ask('How many days of holidays are there in every year of work?')
    await attachments.citation(answer, 1).click()
    const { viewer } = attachments
    const page = viewer.getByRole('region', { name: 'Page 4 of 5' })
    await expect(page.locator('mark').first()).toBeInViewport()
    const marked = (await page.locator('mark').allTextContents()).join(' ')
    expect(marked).toContain('Holidays are thirty days in every year of work')
    expect(marked).not.toContain('Whoever falls ill')
    await viewer.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(viewer.locator('mark')).toContainText('Holidays are thirty days')
    await expect(viewer.locator('mark')).not.toContainText('Flour is bought')
    await expect(viewer.locator('mark')).toBeInViewport()
  })
}

test('files are dropped anywhere, kept over a reload and taken off again', async ({ chat }) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.drop(lease, {
    name: 'plan.txt',
    mimeType: 'text/plain',
    content: 'Flour first.',
  })
  await expect(attachments.list.getByText('matching parts')).toHaveCount(2)
  await chat.page.reload()
  await expect(attachments.list.getByRole('listitem')).toHaveCount(2)
  await attachments.chip('plan.txt').getByRole('button', { name: 'Read all of “plan.txt”' }).click()
  await expect(attachments.chip('plan.txt')).toContainText('whole text')
  await attachments.chip('lease.md').getByRole('button', { name: 'Remove “lease.md”' }).click()
  await expect(attachments.list.getByRole('listitem')).toHaveCount(1)
})

test('a file that cannot be read says why, and the question can still be asked', async ({
  chat,
}) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach({
    name: 'broken.pdf',
    mimeType: 'application/pdf',
    content: '%PDF-1.7 and nothing else',
  })
  await expect(attachments.chip('broken.pdf')).toHaveClass(/danger/)
  await expect(await chat.ask('/echo still here')).toContainText('still here')
})

test('a long pasted text is attached and can be put into the message instead', async ({ chat }) => {
  await chat.open()
  const long = 'A line of a long letter.\n'.repeat(400)
  await chat.composer.focus()
  await chat.page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, long)
  await expect(chat.page.getByText('Pasted text, 401 lines')).toBeVisible()
  await expect(chat.composer).toHaveValue('')
  await chat.page.getByRole('button', { name: 'Insert pasted text into the message' }).click()
  await expect(chat.composer).toHaveValue(long)
})

test('a note is attached from the list', async ({ chat }) => {
  const note = {
    title: 'Oven notes',
    data: { content: { md: 'The oven needs forty minutes to heat.' } },
  }
  await chat.page.request.post(`${chat.url}/api/v1/notes/create`, { data: note })
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.choose('Note…')
  await expectAccessible(chat.page)
  await attachments.dialog.getByRole('button', { name: /Oven notes/ }).click()
  const answer = await chat.ask('How long does the oven need?')
  await attachments.citation(answer, 1).click()
  await expect(attachments.viewer).toContainText('forty minutes to heat')
})

test('a number sign offers what can be attached; Enter takes it', async ({ chat }) => {
  const note = { title: 'Rye starter', data: { content: { md: 'Feed it every evening.' } } }
  await chat.page.request.post(`${chat.url}/api/v1/notes/create`, { data: note })
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await chat.composer.pressSequentially('When is it fed? #rye')
  await expect(chat.page.getByRole('option', { name: 'Rye starter' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expectAccessible(chat.page)
  await chat.composer.press('Enter')
  await expect(attachments.chip('Rye starter')).toBeVisible()
  await expect(chat.composer).toHaveValue('When is it fed? ')
})

test('what is attached opens over the conversation, before and after it was sent', async ({
  chat,
}) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(report)
  await attachments.chip('report.pdf').getByRole('button', { name: 'Open “report.pdf”' }).click()
  await expect(attachments.dialog.getByRole('region', { name: 'Page 1 of 2' })).toContainText(
    'Harbour report 2025',
  )
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Escape')
  await expect(attachments.dialog).toHaveCount(0)
  await expect(attachments.chip('report.pdf')).toContainText('matching parts')
  await chat.ask('What does the second page tell about the new pier?')
  await chat.userMessages
    .last()
    .getByRole('button', { name: /report\.pdf/ })
    .click()
  await attachments.dialog.getByRole('button', { name: 'Text', exact: true }).click()
  await expect(attachments.dialog).toContainText('The second page tells about the new pier.')
  await expect(attachments.dialog.getByRole('link', { name: 'Download' })).toHaveAttribute(
    'href',
    /attachment=true/,
  )
})

test('a changed question keeps its files, and each can be taken off', async ({ chat }) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(lease, {
    name: 'plan.txt',
    mimeType: 'text/plain',
    content: 'Flour first.',
  })
  await expect(attachments.list.getByText('matching parts')).toHaveCount(2)
  await chat.ask('How long is the notice to end the lease?')
  await chat.userMessages.last().hover()
  await chat.page.getByRole('button', { name: 'Edit' }).click()
  await attachments.list.getByRole('button', { name: 'Remove “plan.txt”' }).click()
  await expect(attachments.list.getByRole('button', { name: 'Remove “lease.md”' })).toBeFocused()
  await chat.page
    .getByRole('textbox', { name: 'Edit message' })
    .fill('How many months of notice end the lease?')
  await chat.page.keyboard.press('Enter')
  await expect(chat.userMessages.last()).toContainText('How many months')
  await expect(chat.userMessages.last()).toContainText('lease.md')
  await expect(chat.userMessages.last()).not.toContainText('plan.txt')
})

test('chips go by keyboard, the focus goes to their neighbour and then to the message', async ({
  chat,
}) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(lease, {
    name: 'plan.txt',
    mimeType: 'text/plain',
    content: 'Flour first.',
  })
  await expect(attachments.list.getByText('matching parts')).toHaveCount(2)
  await attachments.list
    .getByRole('listitem')
    .first()
    .getByRole('button', { name: /^Remove/ })
    .focus()
  await chat.page.keyboard.press('Delete')
  await expect(attachments.list.getByRole('listitem')).toHaveCount(1)
  await expect(attachments.list.getByRole('button', { name: /^Remove/ })).toBeFocused()
  await chat.page.keyboard.press('Delete')
  await expect(attachments.list).toHaveCount(0)
  await expect(chat.composer).toBeFocused()
})

test('a file over the limit is refused before it is sent', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway({
    RAG_FILE_MAX_SIZE: '1',
    RAG_ALLOWED_FILE_EXTENSIONS: 'md,txt',
  })
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  const attachments = new AttachmentsPage(page)
  const sent: string[] = []
  page.on(
    'request',
    (request) =>
      request.method() === 'POST' && request.url().includes('/files/') && sent.push(request.url()),
  )
  await attachments.attach({
    name: 'large.txt',
    mimeType: 'text/plain',
    content: 'x'.repeat(1_100_000),
  })
  await expect(attachments.chip('large.txt')).toContainText('The limit is 1 MB')
  await attachments.attach({
    name: 'tool.exe',
    mimeType: 'application/octet-stream',
    content: 'MZ',
  })
  await expect(attachments.chip('tool.exe')).toContainText('Allowed types: md, txt')
  expect(sent).toEqual([])
})

test('answers side by side cite the same file, each with its own number', async ({ chat }) => {
  await chat.open()
  const side = new SideBySidePage(chat.page)
  await side.add('reasoning')
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(lease)
  await expect(attachments.chip('lease.md')).toContainText('matching parts')
  await chat.send('How long is the notice to end the lease?')
  await expect(side.columns).toHaveCount(2)
  await side.finished()
  await attachments.citation(side.columns.nth(1), 1).click()
  await expect(attachments.viewer.locator('mark')).toContainText('three months of notice')
})

test('a temporary chat reads files and cites them, too', async ({ chat }) => {
  await chat.open()
  await new ChatToolsPage(chat.page).temporaryButton.click()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach(lease)
  await expect(attachments.chip('lease.md')).toContainText('matching parts')
  const answer = await chat.ask('How long is the notice to end the lease?')
  await attachments.citation(answer, 1).click()
  await expect(attachments.viewer.locator('mark')).toContainText('three months of notice')
})

test('a page that is only a picture is shown, and says that its words cannot be marked', async ({
  chat,
}) => {
  await chat.open()
  const attachments = new AttachmentsPage(chat.page)
  await attachments.attach({ name: 'scan.pdf', mimeType: 'application/pdf', content: toScan() })
  await attachments.chip('scan.pdf').getByRole('button', { name: 'Open “scan.pdf”' }).click()
  await expect(attachments.dialog).toContainText('This page is a scanned image')
  const colour = await attachments.dialog
    .locator('.pdf-page canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      return [
        ...canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data,
      ]
    })
  expect(colour).toEqual([200, 30, 60, 255])
  await chat.page.keyboard.press('Escape')
  // On a phone the text would be shown first.
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await attachments.chip('scan.pdf').getByRole('button', { name: 'Open “scan.pdf”' }).click()
  await expect(attachments.dialog.locator('.pdf-page canvas')).toBeVisible()
})
