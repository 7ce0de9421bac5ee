import { describe, expect, it } from 'vitest'
import { serveFiles, type ServedFiles } from '../testing/serve-files.ts'

const ROOT = '/api/v1/files'
const upload = async (
  served: ServedFiles,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<string> => (await served.upload(name, content, { query: '?process=false' })).body.id
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, 'latin1'))

/** Content of each kind, and whether a browser may show it. */
const KINDS: [name: string, content: string, type: string, shown: boolean][] = [
  [
    'a.png',
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89',
    'image/png',
    true,
  ],
  ['a.gif', 'GIF89a\x01\0\x01\0\0\0\0;', 'image/gif', true],
  ['a.pdf', '%PDF-1.4\n%%EOF', 'application/pdf', true],
  ['a.txt', '<script>alert(1)</script>', 'text/plain', true],
  ['a.html', '<script>alert(1)</script>', 'text/html', false],
  [
    'a.xhtml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
    'application/xhtml+xml',
    false,
  ],
  [
    'a.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'image/svg+xml',
    false,
  ],
  ['a.xml', '<?xml version="1.0"?><a/>', 'application/xml', false],
  ['a.js', 'alert(1)', 'text/javascript', false],
  ['a.csv', '=cmd(),1', 'text/csv', false],
  ['a.md', '# a', 'text/markdown', false],
  ['a.exe', 'MZ\0\0\0\0', 'application/x-msdownload', false],
  ['a', '\0\x01\x02', 'application/octet-stream', false],
]

describe('the bytes of a file', () => {
  it.each(KINDS)('%s are sent so that they can do nothing', async (name, content, type, shown) => {
    const served = await serveFiles()
    const id = await upload(served, name, bytesOf(content))
    const reply = await served.raw('owner', `${ROOT}/${id}/content`)
    expect(reply.headers.get('content-type')?.split(';')[0]).toBe(type)
    expect(reply.headers.get('content-disposition')).toMatch(shown ? /^inline;/ : /^attachment;/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(Buffer.from(await reply.arrayBuffer()).toString('latin1')).toBe(content)
    const saved = await served.raw('owner', `${ROOT}/${id}/content?attachment=true`)
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(
      (await served.raw('owner', `${ROOT}/${id}/content/any%2Fname.html`)).headers
        .get('content-type')
        ?.split(';')[0],
    ).toBe(type)
  })

  it('of a page can be looked at without scripts, other files not', async () => {
    const served = await serveFiles()
    const page = await upload(
      served,
      'page.html',
      '<!doctype html><p>Grüße</p><script>alert(1)</script>',
    )
    const reply = await served.raw('owner', `${ROOT}/${page}/content/html`)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain('sandbox;')
    expect(policy).not.toMatch(/allow-|script-src|http/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    for (const [name, content] of [
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['a.txt', '<p>'],
    ] as const)
      expect(
        (await served.raw('owner', `${ROOT}/${await upload(served, name, content)}/content/html`))
          .status,
      ).toBe(404)
  })

  it('are sent in ranges, and not again to who has them', async () => {
    const served = await serveFiles()
    const id = await upload(served, 'a.txt', '0123456789')
    const get = async (headers: Record<string, string>, method = 'GET') => {
      const reply = await served.raw('owner', `${ROOT}/${id}/content`, { method, headers })
      return [reply.status, reply.headers.get('content-range'), await reply.text()]
    }
    const etag = (await served.raw('owner', `${ROOT}/${id}/content`)).headers.get('etag')!
    expect(await get({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await get({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await get({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await get({ range: 'bytes=-300' })).toEqual([206, 'bytes 0-9/10', '0123456789'])
    expect(await get({ range: 'bytes=2-400' })).toEqual([206, 'bytes 2-9/10', '23456789'])
    expect((await get({ range: 'bytes=10-' })).slice(0, 2)).toEqual([416, 'bytes */10'])
    expect((await get({ range: 'bytes=-0' })).slice(0, 2)).toEqual([416, 'bytes */10'])
    for (const range of [
      // A range that ends before it starts is invalid, and ignored (RFC 9110, 14.1.1).
      'bytes=4-2',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=0-1,3-4',
      'items=0-1',
      `bytes=${'9'.repeat(40)}-`,
    ])
      expect(await get({ range })).toEqual([200, null, '0123456789'])
    expect(await get({ range: 'bytes=2-4', 'if-range': etag })).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect(await get({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([
      200,
      null,
      '0123456789',
    ])
    expect(await get({ 'if-none-match': `"x", W/${etag}` })).toEqual([304, null, ''])
    expect(await get({}, 'HEAD')).toEqual([200, null, ''])
    const empty = await upload(served, 'empty', '')
    expect(await (await served.raw('owner', `${ROOT}/${empty}/content`)).text()).toBe('')
  })

  it('carry names no header can be broken with', async () => {
    const served = await serveFiles()
    const form = (name: string) => {
      const boundary = 'x-boundary'
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nx\r\n--${boundary}--\r\n`
      return {
        method: 'POST',
        body,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      }
    }
    for (const name of [
      '報告 (final).txt',
      'a%0D%0AX-Evil: 1.txt',
      'a%22; filename=%22b.html',
      "a'b*c.txt",
      '%',
      'e\u0301.txt',
    ]) {
      const made = (await (
        await served.raw('owner', `${ROOT}/?process=false`, form(name))
      ).json()) as { id: string; filename: string }
      const reply = await served.raw('owner', `${ROOT}/${made.id}/content`)
      expect(reply.headers.get('x-evil')).toBeNull()
      const disposition = reply.headers.get('content-disposition')!
      expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)![1]!)).toBe(
        made.filename,
      )
      expect(disposition).toMatch(/^\w+; filename="[^"\\]*"; filename\*=UTF-8''[\w.%!#$&+^`|~-]+$/)
    }
  })

  it('in UTF-16 and in old encodings are named as what they are', async () => {
    const served = await serveFiles()
    const typeOf = async (content: Uint8Array<ArrayBuffer>) =>
      (
        await served.raw('owner', `${ROOT}/${await upload(served, 'a.txt', content)}/content`)
      ).headers.get('content-type')
    expect(await typeOf(bytesOf('\xff\xfeG\0'))).toBe('text/plain; charset=utf-16')
    expect(await typeOf(bytesOf('Gr\xfc\xdfe'))).toBe('text/plain')
    expect(await typeOf(Uint8Array.from(Buffer.from(`x${'€'.repeat(40_000)}`)))).toBe(
      'text/plain; charset=utf-8',
    )
  })
})

describe('the state of a file', () => {
  /** Returns the events of the stream until it ends. */
  async function follow(served: ServedFiles, id: string): Promise<unknown[]> {
    const reply = await served.raw('owner', `${ROOT}/${id}/process/status?stream=true`)
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    const events = (await reply.text()).split('\n\n').filter((event) => event.startsWith('data: '))
    return events.map((event) => (JSON.parse(event.slice(6)) as { status: string }).status)
  }
  const NEVER = {
    canExtract: () => true,
    extract: (_source: unknown, { signal }: { signal: AbortSignal }) => once(signal),
  }
  const once = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    )

  it('is streamed until it is completed or failed', async () => {
    const served = await serveFiles()
    const text = (await served.upload('a.txt', 'x', { query: '' })).body.id
    const statuses = await follow(served, text)
    expect([statuses[0], statuses.at(-1)]).toEqual(['pending', 'completed'])
    expect(await follow(served, text)).toEqual(['completed'])
    const broken = (await served.upload('a.bin', bytesOf('\0\x01\x02'), { query: '' })).body.id
    expect((await follow(served, broken)).at(-1)).toBe('failed')
  })

  it('ends its stream when the file is deleted, and stops the work on it', async () => {
    const served = await serveFiles({ extraction: NEVER })
    const { id } = (await served.upload('a.txt', 'x', { query: '' })).body
    const following = follow(served, id)
    await expect.poll(async () => (await served.files.find(id))?.status).toBe('pending')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await served.owner(`${ROOT}/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await following).at(-1)).toBe('not_found')
  })

  it('ends its stream with the gateway, which leaves the work for the next start', async () => {
    const served = await serveFiles({ extraction: NEVER })
    const { id } = (await served.upload('a.txt', 'x', { query: '' })).body
    const following = follow(served, id)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await served.files.close()
    expect(new Set(await following)).toEqual(new Set(['pending']))
    expect(await served.files.find(id)).toMatchObject({ status: 'pending', error: null })
  })
})
