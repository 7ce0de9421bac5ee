import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startLyingStore, type StoreConduct } from '../testing/start-lying-store.ts'
import { startProxy } from '../testing/start-proxy.ts'
import { contentOf, openUploads } from '../testing/use-bucket.ts'

const SIZE = 300_000

async function openWithFile() {
  const lying = await startLyingStore()
  onTestFinished(() => lying.close())
  const place = await openUploads(lying.environment)
  const bytes = new Uint8Array(randomBytes(SIZE))
  const id = await place.keep('noise.bin', bytes)
  return { ...lying, place, bytes, id }
}

/**
 * Returns the outcome for the reader of a reply: its status if the error is a sentence, otherwise
 * the fact that it broke.
 */
async function outcomeOf(reply: Response): Promise<string> {
  try {
    const bytes = await reply.arrayBuffer()
    return reply.ok ? `whole ${bytes.byteLength}` : String(reply.status)
  } catch {
    return 'broken'
  }
}

test.each<[StoreConduct, string]>([
  ['honest', `whole ${SIZE}`],
  ['short', '503'],
  ['short-in-pieces', 'broken'],
  ['other-bytes', 'broken'],
  ['no-store', '503'],
  ['refuses', '503'],
])(
  'a store that is %s gives a reader no short answer that looks whole',
  async (conduct, outcome) => {
    const { store, place, id } = await openWithFile()
    store.conduct = conduct
    expect(await outcomeOf(await place.call(contentOf(id)))).toBe(outcome)
  },
)

test('a store that sends something else than the part that was asked for is not believed', async () => {
  const { store, place, id, bytes } = await openWithFile()
  const ask = () => place.call(contentOf(id), { headers: { Range: 'bytes=100000-199999' } })
  const right = await ask()
  expect(Buffer.from(await right.arrayBuffer()).equals(bytes.subarray(100_000, 200_000))).toBe(true)
  for (const conduct of ['ignores-ranges', 'short'] as const) {
    store.conduct = conduct
    const reply = await ask()
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '10'])
  }
  store.conduct = 'short-in-pieces'
  expect(await outcomeOf(await ask())).toBe('503')
})

test('bytes somebody took out of the bucket are missing, in words', async () => {
  const { objects, place, id } = await openWithFile()
  objects.clear()
  const reply = await place.call(contentOf(id))
  expect(reply.status).toBe(404)
  expect(((await reply.json()) as { detail: string }).detail).toContain('missing in the store')
})

test('calls of the store go through the proxy of the gateway, and are listed', async () => {
  const lying = await startLyingStore()
  onTestFinished(() => lying.close())
  const proxy = await startProxy({ leadTo: lying.port })
  onTestFinished(() => proxy.close())
  const place = await openUploads({
    ...lying.environment,
    S3_ENDPOINT_URL: 'http://store.invalid',
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
  })
  const id = await place.keep('noise.bin', new Uint8Array(randomBytes(50_000)))
  expect(await outcomeOf(await place.call(contentOf(id)))).toBe('whole 50000')
  expect(new Set(proxy.asked)).toEqual(new Set(['store.invalid:80']))
  const list = await place.call('/api/v1/outgoing?limit=100')
  expect(((await list.json()) as { items: object[] }).items).toContainEqual(
    expect.objectContaining({ host: 'store.invalid', purpose: 'shared_store', name: 'S3' }),
  )
})
