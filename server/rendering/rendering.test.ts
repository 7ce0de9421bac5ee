import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer({})
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

const post = (path: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${server.url}/api/v1/utils/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal,
  })
const toHtml = async (md: string): Promise<string> =>
  ((await (await post('markdown', { md })).json()) as { html: string }).html

describe('Markdown as HTML', () => {
  test('knows headings, lists, code, tables and links', async () => {
    const html = await toHtml(
      '# Tea\n\n- **green**\n\n```js\na < b\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[x](https://x.example/?a=1&b=2)',
    )
    expect(html).toContain('<h1>Tea</h1>')
    expect(html).toContain('<strong>green</strong>')
    expect(html).toContain('<code class="language-js">a &lt; b')
    expect(html).toContain('<td>1</td>')
    expect(html).toContain('<a href="https://x.example/?a=1&amp;b=2">x</a>')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '![x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:x "a\\" onclick=alert(1)")',
    '<svg/onload=alert(1)>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '| <iframe src=javascript:alert(1)> |\n|---|',
    '```"><script>alert(1)</script>\nx\n```',
    '[^1]\n\n[^1]: <script>alert(1)</script>',
  ])('holds no program of %j', async (md) => {
    const html = await toHtml(md)
    expect(html).not.toMatch(/<(script|img[^>]+onerror|svg|iframe)/i)
    expect(html).not.toMatch(/(href|src)="\s*(javascript|data|vbscript):/i)
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/i)
  })

  test('is refused where it would take for ever, while others are answered', async () => {
    expect((await post('markdown', { md: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(422)
    expect((await post('markdown', { md: 7 })).status).toBe(422)
    const hostile = await Promise.all(
      ['*a_'.repeat(20_000), '['.repeat(20_000), '> '.repeat(2000)].map((md) =>
        post('markdown', { md }),
      ),
    )
    for (const { status } of hostile) expect([200, 400]).toContain(status)
    expect(await toHtml('*fine*')).toBe('<p><em>fine</em></p>')
  })
})

/** Returns the text on the pages of a reply. */
async function readPages(response: Response): Promise<string> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(response.headers.get('content-disposition')).toBe('attachment;filename=chat.pdf')
  const { text } = await extractText(
    await getDocumentProxy(new Uint8Array(await response.arrayBuffer())),
    { mergePages: true },
  )
  return text
}

describe('A chat as PDF', () => {
  test('holds its title, who wrote, when and what, in several alphabets, without the blocks of tools', async () => {
    const call =
      '<details type="tool_calls" done="true"><summary>Tool Executed</summary>\n&quot;hidden&quot;\n</details>\n'
    const messages = [
      { role: 'user', content: 'Hoe lang? Πόσο; Сколько?', timestamp: 1_790_000_000 },
      {
        role: 'assistant',
        model: 'llama',
        content: `${call}Three **minutes**.\n\n\`\`\`js\nconst a = 1\n\`\`\``,
      },
      { role: 'user', content: [{ type: 'text', text: 'Thanks' }, { type: 'image_url' }] },
    ]
    const text = await readPages(await post('pdf', { title: 'Green tea — Örebro', messages }))
    for (const part of [
      'Green tea — Örebro',
      'You',
      '2026-09-21',
      'Πόσο;',
      'Сколько?',
      'llama',
      'minutes',
      'const a = 1',
      'Thanks',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/hidden|details/)
  })

  test('looks like a document: day and models, headings, lists and tables without their signs, numbered pages', async () => {
    const content = `## Plan\n\n- **first** [step](https://example.org/a)\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${'A line.\n'.repeat(120)}`
    const messages = [
      { role: 'user', content: 'Plan it', timestamp: 1_790_000_000 },
      { role: 'assistant', model: 'llama', content },
    ]
    const text = await readPages(await post('pdf', { title: 'Plans', messages }))
    expect(text).toContain('2026-09-21 · llama')
    expect(text).toContain('• first step (https://example.org/a)')
    expect(text).toContain('1 / 3')
    expect(text).toContain('3 / 3')
    expect(text).not.toMatch(/##|\*\*|\|---/)
  })

  test.each([
    ['no messages', { title: 'Empty', messages: [] }],
    [
      'messages without anything',
      { title: '', messages: [{}, { role: null, content: null }, { content: '' }] },
    ],
    [
      'signs no font has',
      {
        title: '日本 \u0000\ud800 🍵',
        messages: [{ role: 'x'.repeat(200), content: '\u202e\u0007 💥 漢字 مرحبا' }],
      },
    ],
    [
      'a role named like a member of every object',
      { title: 't', messages: [{ role: '__proto__' }, { role: 'constructor', content: 'x' }] },
    ],
    ['odd times', { title: 't', messages: [{ role: 'user', content: 'x', timestamp: 1e300 }] }],
    [
      'words without an end',
      { title: 't'.repeat(10_000), messages: [{ role: 'user', content: 'x'.repeat(500_000) }] },
    ],
  ])('is made of %s too', async (_, chat) => {
    const response = await post('pdf', chat)
    expect(response.status).toBe(200)
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('is refused where it is none', async () => {
    expect((await post('pdf', { messages: [] })).status).toBe(422)
    expect((await post('pdf', { title: 'x', messages: 'y' })).status).toBe(422)
    expect(
      (await post('pdf', { title: 'x', messages: [{ content: 'x'.repeat(9 * 1024 * 1024) }] }))
        .status,
    ).toBe(413)
  })

  test('a caller that leaves takes its work along', async () => {
    const leaving = new AbortController()
    const asked = post(
      'pdf',
      { title: 'x', messages: [{ content: 'word '.repeat(1_000_000) }] },
      leaving.signal,
    )
    setTimeout(() => leaving.abort(), 200)
    await expect(asked).rejects.toThrow(/abort/i)
    expect(await toHtml('after')).toBe('<p>after</p>')
  })
})
