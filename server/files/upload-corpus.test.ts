import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { CALLER_HEADER } from '../testing/serve-test-routes.ts'
import { filesBelow, serveFiles, type ServedFiles } from '../testing/serve-files.ts'

const TARGET = '/api/v1/files/?process=false'
const STORED = /^uploads[/\\][\da-f]{2}[/\\][\da-f-]{36}$/

const ESCAPES = [
  '../',
  '..\\',
  '....//',
  '..;/',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '..%c0%af',
  '%252e%252e%252f',
  './../',
  '.\\..\\',
]
const TARGETS = ['gateway.json', 'chat-gateway.db', 'etc/passwd', 'uploads/temporary/x']
const PLACES = [
  '/etc/passwd',
  '/',
  '//',
  'C:\\Windows\\win.ini',
  'C:x',
  '\\\\server\\share\\x',
  '//server/share/x',
  'file:///etc/passwd',
  '~/x',
  '$HOME/x',
  '\\\\?\\C:\\x',
  '\\\\.\\pipe\\x',
]
const RESERVED = [
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'COM1',
  'LPT9',
  'con.txt',
  'nul.tar.gz',
  'CONIN$',
  'a.',
  'a ',
  ' a',
  'a.txt.',
  'a.txt ',
  'a:b',
  'a::$DATA',
  '.htaccess',
  '.',
  '..',
  '...',
  ' ',
  '-rf',
  '--help',
  '*',
  '?',
  '|',
  '<',
  '>',
]
const CHARACTERS = [
  'a\0b.txt',
  '\0',
  'a\x01.txt',
  'a\x7f.txt',
  'a\tb',
  'a%00.txt',
  'a%0A.txt',
  'photo\u202egnp.exe',
  '\u200f\u200e',
  '\u2066x\u2069',
  '\ufeff',
  'e\u0301',
  'é',
  'ﬁ.txt',
  '報告書.pdf',
  'отчёт.docx',
  'تقرير.pdf',
  '🙂'.repeat(40),
  'a'.repeat(4096),
  `${'a'.repeat(4096)}.pdf`,
  `${'é'.repeat(300)}.txt`,
  `x.${'y'.repeat(500)}`,
  `${'../'.repeat(500)}x`,
  '𝒳.txt',
  '\ud83d',
  'a\\"b.txt',
  "a'b",
  '`id`',
  '$(id)',
  '; rm -rf /',
  '| cat',
  '&& x',
  '<script>.html',
  '{{x}}',
  '${x}',
  '%s%n',
  '\\\\',
  '\\',
  '__proto__',
  'constructor',
  'toString',
]
const NAMES = [
  ...ESCAPES.flatMap((escape) =>
    TARGETS.flatMap((target) => [escape + target, escape.repeat(8) + target]),
  ),
  ...PLACES,
  ...RESERVED,
  ...RESERVED.map((name) => `folder/${name}`),
  ...CHARACTERS,
]

const form = (name: string, content: string): Buffer =>
  Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name.replaceAll('"', '%22').replaceAll('\n', '%0A').replaceAll('\r', '%0D')}"\r\n` +
      `Content-Type: text/plain\r\n\r\n${content}\r\n--b--\r\n`,
  )

it(`keeps ${NAMES.length} names that look like paths as data, and bytes under random names`, async () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(200)
  const root = createTemporaryFolder()
  const dataDir = path.join(root, 'a', 'b', 'data')
  mkdirSync(dataDir, { recursive: true })
  const served = await serveFiles({ dataDir })
  const kept: string[] = []
  for (const [index, name] of NAMES.entries()) {
    const reply = await served.raw('owner', TARGET, {
      method: 'POST',
      body: Uint8Array.from(form(name, `content ${index}`)),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    // A form without a readable name has no file; everything else is stored.
    expect([200, 400], JSON.stringify(name)).toContain(reply.status)
    if (reply.status !== 200) continue
    const { id, filename } = (await reply.json()) as { id: string; filename: string }
    kept.push(filename)
    expect(await (await served.raw('owner', `/api/v1/files/${id}/content`)).text()).toBe(
      `content ${index}`,
    )
    // Whatever its name, each file is stored in the uploads folder under a name chosen by the
    // gateway.
    expect(filesBelow(path.join(dataDir, 'uploads')).length).toBe(kept.length)
  }
  expect(kept.length).toBeGreaterThan(NAMES.length * 0.9)
  for (const name of kept) {
    expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    expect(name).not.toMatch(/^\.*$/)
    expect(name.length).toBeLessThanOrEqual(255)
    expect(name.isWellFormed()).toBe(true)
  }
  const found = filesBelow(root).map((file) => path.relative(path.join('a', 'b', 'data'), file))
  expect(found.filter((file) => !STORED.test(file))).toEqual([])
  expect(found).toHaveLength(kept.length)
})

/** Returns the same sequence of numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES = [
  '--b',
  '\r\n',
  '\r\n\r\n',
  '--b--',
  'Content-Disposition: form-data; ',
  'name="file"',
  'name="metadata"',
  'filename="x"',
  "filename*=UTF-8''%ff",
  'name="a[b][c]"',
  'name="__proto__"',
  '\0',
  '"',
  '=',
  ';',
  '--',
  'Content-Type: multipart/mixed; boundary=c\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  '\xff\xfe',
]
const VALID =
  '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"a":1}\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nSome content\r\n--b--\r\n'

const insert = (text: string, at: number, piece: string, removed = 0): string =>
  text.slice(0, at) + piece + text.slice(at + removed)

function mutate(random: (below: number) => number): string {
  let text = VALID
  for (let count = 1 + random(3); count > 0; count -= 1) {
    const at = random(text.length + 1)
    const kind = random(7)
    if (kind === 0) text = text.slice(0, at)
    else if (kind === 1) text = insert(text, at, PIECES[random(PIECES.length)]!)
    else if (kind === 2) text = insert(text, at, '', 1 + random(20))
    else if (kind === 3) text = insert(text, at, String.fromCharCode(random(256)), 1)
    else if (kind === 4) text = insert(text, at, text.slice(at, at + random(80)))
    else if (kind === 5) text = insert(text, at, PIECES[random(PIECES.length)]!.repeat(random(200)))
    else text = insert(text, text.indexOf('Some'), 'x'.repeat(random(200_000)))
  }
  return text
}

const TYPES = [
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(500)}`,
  'multipart/form-data; boundary="b',
  'multipart/form-data; boundary=b; boundary=c',
  'multipart/form-data;;;',
  'multipart/mixed; boundary=b',
]

/** Sends a request that declares a longer body than it sends, and disconnects. */
async function sendAndLeave(served: ServedFiles, body: string): Promise<void> {
  const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST ${TARGET} HTTP/1.1\r\nHost: x\r\n${CALLER_HEADER}: ${served.ids.owner}\r\nContent-Type: ${TYPES[0]}\r\nContent-Length: ${body.length + 1000}\r\n\r\n${body}`,
    'latin1',
  )
  await new Promise((resolve) => setTimeout(resolve, 2))
  socket.destroy()
}

it('answers 5,000 mutated forms with 4xx or stores them, and leaves no temporary file', async () => {
  const served = await serveFiles({ environment: { RAG_FILE_MAX_SIZE: '1' } })
  const random = createRandom(20_261_122)
  const statuses = new Map<number, number>()
  const send = async (): Promise<void> => {
    const body = mutate(random)
    if (random(25) === 0) return sendAndLeave(served, body)
    const type = random(10) === 0 ? TYPES[random(TYPES.length)]! : TYPES[0]!
    const reply = await served.raw('owner', TARGET, {
      method: 'POST',
      body: Uint8Array.from(Buffer.from(body, 'latin1')),
      headers: { 'content-type': type },
    })
    await reply.arrayBuffer()
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  }
  for (let count = 0; count < 5000; count += 25) await Promise.all(Array.from({ length: 25 }, send))
  expect(
    [...statuses.keys()].filter((status) => status !== 200 && (status < 400 || status >= 500)),
  ).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(500)
  expect(statuses.get(400)).toBeGreaterThan(500)
  await expect.poll(() => filesBelow(path.join(served.dataDir, 'uploads', 'temporary'))).toEqual([])
  const { total } = (await served.owner('/api/v1/files/?content=false')).body
  expect(total).toBeGreaterThanOrEqual(statuses.get(200)!)
  expect((await served.upload('last.txt', 'Still here')).body.data.status).toBe('completed')
}, 60_000)

it('refuses forms of too many parts and of huge heads', async () => {
  const served = await serveFiles()
  const send = (body: string) =>
    served
      .raw('owner', TARGET, { method: 'POST', body, headers: { 'content-type': TYPES[0]! } })
      .then(({ status }) => status)
  const field = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`
  expect(
    await send(
      `${Array.from({ length: 10_000 }, (_, index) => field(`f${index}`)).join('')}--b--\r\n`,
    ),
  ).toBe(400)
  expect(await send(`--b\r\n${'X-Header: x\r\n'.repeat(10_000)}${VALID.slice(5)}`)).toBe(400)
  expect(await send(`--b\r\nX-Header: ${'x'.repeat(10_000_000)}\r\n${VALID.slice(5)}`)).toBe(400)
  expect(await send(field('n'.repeat(100_000)))).toBe(400)
  expect(
    await send(
      `--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${'x'.repeat(2_000_000)}\r\n${VALID}`,
    ),
  ).toBe(400)
  expect(filesBelow(path.join(served.dataDir, 'uploads'))).toEqual([])
})
