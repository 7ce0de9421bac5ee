import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { isOnPostgres, writeEmptyDatabase } from '../testing/create-test-storage.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { filesBelow } from '../testing/serve-files.ts'
import {
  lacksObjectStore,
  startObjectStore,
  type ObjectStore,
} from '../testing/start-object-store.ts'
import { startAudio } from '../testing/start-audio.ts'
import { startTestServer } from '../testing/start-server.ts'
import { contentOf, createUploader, openUploads } from '../testing/use-bucket.ts'

let store: ObjectStore

beforeAll(async () => {
  if (!lacksObjectStore) store = await startObjectStore()
}, 90_000)
beforeEach(() => {
  store?.cutAfter(Number.POSITIVE_INFINITY)
})
afterAll(() => store?.close())

const GONE = { timeout: 15_000 }

/** Returns the settings of a bucket at AWS, whose address is not named. */
const atAmazon = (): Record<string, string> => {
  const { S3_ENDPOINT_URL: _address, ...others } = store.environment as Record<string, string>
  return others
}

/** Expects 503 with a sentence and a retry-after header. */
async function expectAway(reply: Response): Promise<void> {
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(((await reply.json()) as { detail: string }).detail).toContain('cannot be reached')
}

describe.skipIf(lacksObjectStore)('uploads in a bucket', () => {
  test('lie there and nowhere else, come back whole and in parts, and go with their file', async () => {
    const place = await openUploads(store.environment)
    const bytes = new Uint8Array(randomBytes(3_000_000))
    const id = await place.keep('noise.bin', bytes)
    expect(await store.names()).toEqual([expect.stringMatching(/^gateway\/[\da-f-]{36}$/)])
    expect(filesBelow(path.join(place.server.dataDir, 'uploads'))).toEqual([])
    const machine = await place.call('/api/v1/snapshots/')
    expect(await machine.text()).toContain(isOnPostgres ? 'SQLite only' : '"keeps_files":false')

    const whole = await place.call(contentOf(id))
    expect(whole.status).toBe(200)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
    expect(whole.headers.get('etag')).toBe(etag)

    store.calls.length = 0
    const part = await place.call(contentOf(id), { headers: { Range: 'bytes=1000-1999' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 1000-1999/3000000')
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    expect(store.calls.filter((call) => call.startsWith('GET '))).toHaveLength(1)
    const last = await place.call(contentOf(id), { headers: { Range: 'bytes=-5' } })
    expect(Buffer.from(await last.arrayBuffer()).equals(bytes.subarray(-5))).toBe(true)
    const beyond = await place.call(contentOf(id), { headers: { Range: 'bytes=3000000-' } })
    expect(beyond.status).toBe(416)

    const head = await place.call(contentOf(id), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000000'])
    const known = await place.call(contentOf(id), { headers: { 'If-None-Match': etag } })
    expect(known.status).toBe(304)

    expect((await place.call(`/api/v1/files/${id}`, { method: 'DELETE' })).status).toBe(200)
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test('of a sound become text and are played from there, in parts too', async () => {
    const { engine, ids, server, tokens } = await startAudio({}, store.environment)
    const before = await store.names()
    const file = await server.context.files.create(
      ids.owner,
      { filename: 'memo.wav', contentType: 'audio/wav', content: { bytes: engine.sound } },
      { process: true, background: false },
    )
    expect(file).toMatchObject({ status: 'completed' })
    expect((await server.context.files.content(file.id))?.text).toBe(engine.text)
    expect(engine.calls.at(-1)!.body.includes(engine.sound)).toBe(true)
    expect((await store.names()).length).toBe(before.length + 1)
    expect(filesBelow(path.join(server.dataDir, 'uploads'))).toEqual([])
    const part = await fetch(server.url + contentOf(file.id), {
      headers: { Authorization: `Bearer ${tokens.owner}`, Range: 'bytes=0-43' },
    })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(engine.sound.subarray(0, 44))).toBe(true)
    await server.call('DELETE', `/api/v1/files/${file.id}`, { token: tokens.owner })
    await expect.poll(() => store.names(), GONE).toEqual(before)
  })

  test('are no part of a skill: its files are kept with it, and need no store', async () => {
    const place = await openUploads(store.environment)
    const headers = { 'Content-Type': 'application/json' }
    const send = (target: string, body: object) =>
      place.call(`/api/v1/skills/${target}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
    expect(
      (await send('create', { id: 'letters', name: 'Letters', content: 'Read the form.' })).status,
    ).toBe(200)
    const content = Buffer.from('Dear Sir or Madam').toString('base64')
    expect((await send('id/letters/files', { path: 'form.txt', content })).status).toBe(200)
    const before = await store.names()
    await store.cut()
    try {
      const read = await place.call('/api/v1/skills/id/letters/files?path=form.txt')
      expect([read.status, await read.text()]).toEqual([200, 'Dear Sir or Madam'])
      expect((await place.call('/api/v1/skills/id/letters/download')).status).toBe(200)
    } finally {
      await store.mend()
    }
    expect(await store.names()).toEqual(before)
  })

  test('are kept once for each person, and are read for what they say', async () => {
    const place = await openUploads(store.environment)
    const wait = '?process_in_background=false'
    const first = await place.keep('train.txt', 'The night train leaves at ten.', wait)
    const second = await place.keep('again.txt', 'The night train leaves at ten.', wait)
    await expect.poll(async () => (await store.names()).length, GONE).toBe(1)
    const text = await place.call(`/api/v1/files/${second}/data/content`)
    expect(((await text.json()) as { content: string }).content).toContain('night train')
    const sent = await place.call(contentOf(first))
    expect(sent.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await sent.text()).toBe('The night train leaves at ten.')
    const empty = await place.keep('empty.txt', '')
    expect(await (await place.call(contentOf(empty))).text()).toBe('')
    expect(filesBelow(path.join(place.server.dataDir, 'uploads'))).toEqual([])
    for (const id of [first, second, empty])
      await place.call(`/api/v1/files/${id}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test.skipIf(isOnPostgres)('are read by another gateway on the same bucket', async () => {
    const one = await openUploads(store.environment)
    const bytes = new Uint8Array(randomBytes(100_000))
    const id = await one.keep('noise.bin', bytes)
    const dataDir = createTemporaryFolder()
    await one.server.context.storage.backup(path.join(dataDir, 'chat-gateway.db'))
    const secret = readFileSync(path.join(one.server.dataDir, 'secret.key'), 'utf8').trim()
    const other = await startTestServer({
      dataDir,
      environment: { ...store.environment, WEBUI_SECRET_KEY: secret },
    })
    onTestFinished(() => other.close())
    const session = await other.call('POST', '/api/v1/auths/signin', {
      body: { email: 'ada@example.com', password: 'correct horse battery' },
    })
    const { token } = (await session.json()) as { token: string }
    const read = await createUploader(other.url, token).call(contentOf(id))
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
    await one.call(`/api/v1/files/${id}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
    expect((await createUploader(other.url, token).call(contentOf(id))).status).toBe(404)
  })

  test('answer 503 while the store is away, everything else goes on, and they are there again', async () => {
    const place = await openUploads(store.environment)
    const kept = await place.keep('kept.bin', new Uint8Array(randomBytes(50_000)))
    const doomed = await place.keep('doomed.bin', new Uint8Array(randomBytes(50_000)))
    await store.cut()
    onTestFinished(() => store.mend())
    await expectAway(await place.call(contentOf(kept)))
    await expectAway(await place.call(contentOf(kept), { headers: { Range: 'bytes=0-9' } }))
    await expectAway(await place.upload('new.bin', new Uint8Array(randomBytes(50_000))))
    await expectAway(await place.call(`/api/v1/files/${kept}/process`, { method: 'POST' }))
    expect((await place.call(`/api/v1/files/${kept}`)).status).toBe(200)
    expect((await place.call('/health')).status).toBe(200)
    expect((await place.call(`/api/v1/files/${doomed}`, { method: 'DELETE' })).status).toBe(200)
    const listed = await place.call('/api/v1/files/?content=false')
    expect(((await listed.json()) as { total: number }).total).toBe(1)
    expect(filesBelow(path.join(place.server.dataDir, 'uploads'))).toEqual([])
    expect(await store.names()).toHaveLength(2)
    await store.mend()
    expect((await place.call(contentOf(kept))).status).toBe(200)
    await expect.poll(() => store.names(), GONE).toHaveLength(1)
    await place.call(`/api/v1/files/${kept}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test('are exported with their collection, which answers 503 while the store is away', async () => {
    const place = await openUploads(store.environment)
    const wait = '?process_in_background=false'
    const file = await place.keep('train.txt', 'The night train leaves at ten.', wait)
    const post = async (target: string, body: object): Promise<{ id: string }> => {
      const headers = { 'Content-Type': 'application/json' }
      const text = JSON.stringify(body)
      const reply = await place.call(target, { method: 'POST', headers, body: text })
      expect(reply.status).toBe(200)
      return (await reply.json()) as { id: string }
    }
    const { id } = await post('/api/v1/knowledge/create', { name: 'Trains', description: 'Night' })
    await post(`/api/v1/knowledge/${id}/file/add`, { file_id: file })
    const archive = await place.call(`/api/v1/knowledge/${id}/export`)
    expect(Buffer.from(await archive.arrayBuffer()).toString()).toContain('night train leaves')
    await store.cut()
    onTestFinished(() => store.mend())
    await expectAway(await place.call(`/api/v1/knowledge/${id}/export`))
    await store.mend()
    await place.call(`/api/v1/files/${file}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test('that break off on their way to a reader are no whole answer', async () => {
    const place = await openUploads(store.environment)
    const id = await place.keep('noise.bin', new Uint8Array(randomBytes(2_000_000)))
    store.cutAfter(500_000)
    const reply = await place.call(contentOf(id))
    expect(reply.status).toBe(200)
    await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
    store.cutAfter(Number.POSITIVE_INFINITY)
    const whole = await place.call(contentOf(id))
    expect((await whole.arrayBuffer()).byteLength).toBe(2_000_000)
    await place.call(`/api/v1/files/${id}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test('go with the account of their owner', async () => {
    const { server } = await openUploads(store.environment)
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const member = createUploader(server.url, await server.signUp('Bob'))
    for (const name of ['a', 'b', 'c']) await member.keep(`${name}.txt`, name)
    expect(await store.names()).toHaveLength(3)
    const { users } = server.context
    const owner = await users.findByEmail('bob@example.com')
    await users.remove(owner!.id)
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test('leave a sealed gateway only for a store that is named', async () => {
    const place = await openUploads({ ...atAmazon(), SEALED_MODE: 'true' })
    const refused = await place.upload('noise.bin', 'words')
    expect(refused.status).toBe(403)
    expect(((await refused.json()) as { detail: string }).detail).toContain('Sealed mode')
    const near = await openUploads({ ...store.environment, SEALED_MODE: 'true' })
    const id = await near.keep('noise.bin', 'words')
    await near.call(`/api/v1/files/${id}`, { method: 'DELETE' })
    await expect.poll(() => store.names(), GONE).toEqual([])
  })

  test.skipIf(isOnPostgres)(
    'are not tried elsewhere by a gateway that was sealed in its settings',
    async () => {
      const dataDir = createTemporaryFolder()
      writeEmptyDatabase(path.join(dataDir, 'chat-gateway.db'))
      const first = await startTestServer({ dataDir })
      await first.context.settings.update({ SEALED_MODE: true })
      await first.close({ keep: true })
      const begun = performance.now()
      const again = await startTestServer({
        dataDir,
        environment: atAmazon(),
      })
      onTestFinished(() => again.close())
      expect(performance.now() - begun).toBeLessThan(15_000)
    },
  )
})
