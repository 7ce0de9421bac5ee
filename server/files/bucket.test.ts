import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { filesBelow } from '../testing/serve-files.ts'
import {
  lacksObjectStore,
  startObjectStore,
  type ObjectStore,
} from '../testing/start-object-store.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let store: ObjectStore

beforeAll(async () => {
  if (!lacksObjectStore) store = await startObjectStore()
}, 90_000)
afterAll(() => store?.close())

interface Place {
  readonly server: TestServer
  upload(name: string, bytes: Uint8Array<ArrayBuffer> | string, query?: string): Promise<Response>
  /** Uploads and answers the id. */
  keep(name: string, bytes: Uint8Array<ArrayBuffer> | string, query?: string): Promise<string>
  get(
    target: string,
    init?: { method?: string; headers?: Record<string, string> },
  ): Promise<Response>
}

async function open(environment: Record<string, string> = {}, dataDir?: string): Promise<Place> {
  const server = await startTestServer({
    environment: { ...store.environment, ...environment },
    ...(dataDir !== undefined && { dataDir }),
  })
  onTestFinished(() => server.close())
  const token = await server.signUp('Ada')
  const headers = { Authorization: `Bearer ${token}` }
  const upload: Place['upload'] = (name, bytes, query = '?process=false') => {
    const body = new FormData()
    body.set('file', new Blob([bytes]), name)
    return fetch(`${server.url}/api/v1/files/${query}`, { method: 'POST', headers, body })
  }
  return {
    server,
    upload,
    async keep(...given) {
      const reply = await upload(...given)
      expect(reply.status).toBe(200)
      return ((await reply.json()) as { id: string }).id
    },
    get: (target, init) =>
      fetch(server.url + target, { ...init, headers: { ...headers, ...init?.headers } }),
  }
}

const contentOf = (id: string): string => `/api/v1/files/${id}/content`

describe.skipIf(lacksObjectStore)('uploads in a bucket', () => {
  test('lie there and nowhere else, come back whole and in parts, and go with their file', async () => {
    const place = await open()
    const bytes = new Uint8Array(randomBytes(3_000_000))
    const id = await place.keep('noise.bin', bytes)
    expect(await store.names()).toEqual([expect.stringMatching(/^gateway\/[\da-f-]{36}$/)])
    expect(filesBelow(path.join(place.server.dataDir, 'uploads'))).toEqual([])

    const whole = await place.get(contentOf(id))
    expect(whole.status).toBe(200)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
    expect(whole.headers.get('etag')).toBe(etag)

    store.calls.length = 0
    const part = await place.get(contentOf(id), { headers: { Range: 'bytes=1000-1999' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 1000-1999/3000000')
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    expect(store.calls.filter((call) => call.startsWith('GET '))).toHaveLength(1)
    const last = await place.get(contentOf(id), { headers: { Range: 'bytes=-5' } })
    expect(Buffer.from(await last.arrayBuffer()).equals(bytes.subarray(-5))).toBe(true)
    expect((await place.get(contentOf(id), { headers: { Range: 'bytes=3000000-' } })).status).toBe(
      416,
    )

    const head = await place.get(contentOf(id), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000000'])
    expect((await place.get(contentOf(id), { headers: { 'If-None-Match': etag } })).status).toBe(
      304,
    )

    expect((await place.get(`/api/v1/files/${id}`, { method: 'DELETE' })).status).toBe(200)
    await expect.poll(() => store.names()).toEqual([])
  })
})
