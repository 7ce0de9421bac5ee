import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { ChatPage } from '../pages/chat-page.ts'

const fenced = (language: string, code: string): string =>
  `/crumbs Here:\n\n\`\`\`${language}\n${code}\n\`\`\`\n\nDone.`

const clock = (time: string): string =>
  [
    '<!doctype html>',
    '<html>',
    '<head><title>Clock</title><style>h1 { color: rgb(1, 2, 3) }</style></head>',
    '<body>',
    `<h1>${time}</h1>`,
    '<button onclick="count += 1; document.querySelector(\'output\').textContent = count">Count</button>',
    '<output>0</output>',
    '<script>',
    'let count = 0',
    "addEventListener('DOMContentLoaded', () => document.body.append('ready'))",
    '</script>',
    '</body>',
    '</html>',
  ].join('\n')

test('a page of an answer runs beside the chat, with versions that are stepped through and compared', async ({
  chat,
}) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  await artifact.open(await chat.ask(fenced('html', clock('10:00'))), 'page')
  await expect(artifact.sheet.getByRole('heading', { name: 'Clock' })).toBeVisible()
  await expect(artifact.frame.getByRole('heading')).toHaveText('10:00')
  await expect(artifact.frame.getByRole('heading')).toHaveCSS('color', 'rgb(1, 2, 3)')
  await expect(artifact.body()).toContainText('ready')
  await artifact.frame.getByRole('button', { name: 'Count' }).click()
  await artifact.frame.getByRole('button', { name: 'Count' }).click()
  await expect(artifact.frame.locator('output')).toHaveText('2')
  await expect(artifact.problems).toHaveCount(0)
  await expectAccessible(chat.page)

  // The sheet switches to the newest version automatically.
  await chat.ask(fenced('html', clock('11:00')))
  await expect(artifact.frame.getByRole('heading')).toHaveText('11:00')
  await expect(artifact.versions).toContainText('Version 2 of 2')
  await artifact.button('Compare with the version before').click()
  await expect(artifact.sheet.getByText('Removed: − <h1>10:00</h1>')).toBeVisible()
  await expect(artifact.sheet.getByText('Added: + <h1>11:00</h1>')).toBeVisible()
  await artifact.button('Preview').click()
  await artifact.button('Previous version').click()
  await expect(artifact.frame.getByRole('heading')).toHaveText('10:00')
  await artifact.button('Source').click()
  await expect(artifact.sheet.locator('code')).toContainText('<h1>10:00</h1>')

  const saving = chat.page.waitForEvent('download')
  await artifact.button('Download').click()
  expect((await saving).suggestedFilename()).toBe('Clock.html')
})

test('full screen keeps the page as it is; Escape leaves it, then closes the sheet', async ({
  chat,
}) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  const answer = await chat.ask(fenced('html', clock('10:00')))
  await artifact.open(answer, 'page')
  await artifact.frame.getByRole('button', { name: 'Count' }).click()
  await artifact.button('Full screen').focus()
  await chat.page.keyboard.press('Enter')
  await expect.poll(async () => (await artifact.sheet.boundingBox())?.width).toBe(1280)
  await expect(artifact.frame.locator('output')).toHaveText('1')
  await chat.page.keyboard.press('Escape')
  await expect.poll(async () => (await artifact.sheet.boundingBox())?.width).toBeLessThan(800)
  await expect(artifact.frame.locator('output')).toHaveText('1')
  await artifact.sheet.focus()
  await chat.page.keyboard.press('Escape')
  await expect(artifact.sheet).toBeHidden()
  await expect(answer.getByRole('button', { name: 'Open beside the chat: page' })).toBeFocused()
})

test('a changed source is a version of its own, that other windows see and a reload brings back', async ({
  chat,
  upstream,
}) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  await artifact.open(await chat.ask(fenced('html', clock('10:00'))), 'page')
  const other = new ChatPage(await chat.page.context().newPage(), chat.url)
  const otherArtifact = new ArtifactPage(other.page)
  await other.open(chat.path())
  await otherArtifact.open(other.answers.last(), 'page')
  await expect(otherArtifact.versions).toContainText('Version 1 of 1')

  await artifact.button('Edit source').click()
  const editor = artifact.sheet.getByRole('textbox', { name: 'Source' })
  await expect(editor).toBeFocused()
  await editor.fill(clock('midnight'))
  await expectAccessible(chat.page)
  await artifact.button('Save as new version').click()
  await expect(artifact.frame.getByRole('heading')).toHaveText('midnight')
  await expect(artifact.versions).toContainText('Version 2 of 2, edited')
  await expect(otherArtifact.frame.getByRole('heading')).toHaveText('midnight')

  await other.page.reload()
  await other.ready()
  await otherArtifact.open(other.answers.last(), 'page')
  await expect(otherArtifact.frame.getByRole('heading')).toHaveText('midnight')
  // The answer itself stays as the model wrote it, but the model receives the edited version.
  await expect(other.answers.last()).toContainText('10:00')
  const before = upstream.requests.length
  await chat.ask('/echo What time is it?')
  const asked = upstream.requests.slice(before).find(({ text }) => text.includes('What time'))
  const read = asked?.json?.['messages'] as { role: string; content: string }[]
  const written = read.find(({ role }) => role === 'assistant')
  expect(written?.content).toContain('midnight')
  expect(written?.content).not.toContain('10:00')
})

test('a component runs without a network, and what it imports that is not there is said', async ({
  chat,
  troubles,
}) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  const counter = [
    "import { useState } from 'react'",
    'interface Props { readonly first?: number }',
    'export default function Counter({ first = 1 }: Props) {',
    '  const [count, setCount] = useState<number>(first)',
    '  return <button onClick={() => setCount(count + 1)}>Clicked {count}</button>',
    '}',
  ].join('\n')
  await artifact.open(await chat.ask(fenced('tsx', counter)), 'component')
  const button = artifact.frame.getByRole('button', { name: 'Clicked' })
  await expect(button).toHaveText('Clicked 1')
  await button.click()
  await expect(button).toHaveText('Clicked 2')
  await expect(artifact.problems).toHaveCount(0)

  const chart = "import { LineChart } from 'recharts'\nexport default () => <LineChart />"
  await artifact.open(await chat.ask(fenced('jsx', chart)), 'component')
  await expect(artifact.problems).toContainText('It imports recharts.')
  expect(troubles.pageErrors.splice(0)).toEqual([expect.stringContaining('recharts')])
})

test('errors of the running page go to the model, as a message the person reads first', async ({
  chat,
  troubles,
}) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  const broken =
    '<p>Shown</p>\n<script src="http://127.0.0.1:9/chart.js"></script>\n<script>\nnew Chart()\n</script>'
  await artifact.open(await chat.ask(fenced('html', broken)), 'page')
  await expect(artifact.frame.getByText('Shown')).toBeVisible()
  await expect(artifact.problems).toContainText('Chart is not defined')
  await expect(artifact.problems).toContainText('It asked for http://127.0.0.1:9/chart.js')
  await expectAccessible(chat.page)
  await artifact.sheet.getByRole('button', { name: /^Ask the model to fix 2 errors/ }).click()
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue(/Chart is not defined[\s\S]*Please fix them/)
  await chat.composer.press('Enter')
  await expect(chat.userMessages.last()).toContainText('Chart is not defined')
  expect(troubles.pageErrors.splice(0)).toEqual([expect.stringContaining('Chart is not defined')])
})

test('drawings, diagrams, documents and code open too, each as it is', async ({ chat }) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  const code = Array.from({ length: 14 }, (_, index) => `value_${index} = ${index}`).join('\n')
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Dot</title><circle r="4" cx="4" cy="4"/></svg>'
  const text = [
    ['svg', svg],
    ['mermaid', 'flowchart LR\n  A-->B'],
    ['markdown', '# Report\n\nA **bold** word.'],
    ['python', code],
  ]
    .map(([language, source]) => `\`\`\`${language}\n${source}\n\`\`\``)
    .join('\n\n')
  const answer = await chat.ask(`/crumbs ${text}`)
  await artifact.open(answer, 'drawing')
  await expect(artifact.frame.locator('circle')).toBeVisible()
  await artifact.sheet.getByRole('combobox', { name: 'Artifact' }).selectOption('Report')
  await expect(artifact.sheet.locator('strong')).toHaveText('bold')
  await artifact.sheet.getByRole('combobox', { name: 'Artifact' }).selectOption('diagram')
  await expect(artifact.frame.locator('svg')).toBeVisible({ timeout: 20_000 })
  await artifact.sheet.getByRole('combobox', { name: 'Artifact' }).selectOption('code')
  await expect(artifact.sheet.locator('code')).toContainText('value_13')
})

test('while an answer streams the page follows without ever being empty', async ({ chat }) => {
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  const rows = Array.from({ length: 260 }, (_, index) => `<p>row number ${index}</p>`).join('\n')
  await chat.send(`/crumbs \`\`\`html\n<title>Long</title>\n${rows}\n\`\`\`\n\nDone.`)
  const opener = chat.answers.last().getByRole('button', { name: 'Open beside the chat: page' })
  await opener.click()
  await expect(artifact.body()).toContainText('row number 1')
  // After the first rendering a rendered frame is always visible.
  const isEmpty = await artifact.sheet.evaluate(
    (sheet) =>
      new Promise<boolean>((resolve) => {
        let wasEmpty = false
        const look = setInterval(() => {
          if (!sheet.querySelector('iframe:not([aria-hidden])')) wasEmpty = true
        }, 10)
        setTimeout(() => {
          clearInterval(look)
          resolve(wasEmpty)
        }, 2000)
      }),
  )
  expect(isEmpty).toBe(false)
  await expect(artifact.body()).toContainText('row number 259', { timeout: 30_000 })
  await chat.finished()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the artifact is a sheet of the whole height, and all of it is reached', async ({
    chat,
  }) => {
    const artifact = new ArtifactPage(chat.page)
    await chat.open()
    await artifact.open(await chat.ask(fenced('html', clock('10:00'))), 'page')
    await expect(artifact.frame.getByRole('heading')).toHaveText('10:00')
    expect(await artifact.sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    for (const name of ['Preview', 'Source', 'Edit source', 'Download', 'Stop the page', 'Close'])
      await expect(artifact.button(name)).toBeInViewport()
    await expectAccessible(chat.page)
    await artifact.button('Close').tap()
    await expect(artifact.sheet).toBeHidden()
  })
})
