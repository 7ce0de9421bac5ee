import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseObjectStore } from '../../../config/parse-object-store.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createTemporaryFolder } from '../../../testing/create-temporary-folder.ts'
import { createTestStorage } from '../../../testing/create-test-storage.ts'
import { startLyingStore } from '../../../testing/start-lying-store.ts'
import { readWhole, type NewBytes } from '../blobs.ts'
import { Bucket } from './bucket.ts'
import { BucketBlobs } from './bucket-blobs.ts'
import { UploadMarks } from './upload-marks.ts'

const never = new AbortController().signal

/** Several gateways on one database and one bucket. */
async function createGateways() {
  const lying = await startLyingStore()
  const storage = createTestStorage()
  const config = parseObjectStore(lying.environment)!
  const buckets: Bucket[] = []
  onTestFinished(async () => {
    for (const bucket of buckets) bucket.close()
    await lying.close()
  })
  const open = async (temporaryFolder = createTemporaryFolder()): Promise<BucketBlobs> => {
    const bucket = await Bucket.open(config)
    buckets.push(bucket)
    const marks = new UploadMarks(storage)
    const log = createLogger('silent')
    return new BucketBlobs({ bucket, marks, temporaryFolder, isShared: true, log })
  }
  const marks = () => storage.all(storage.builder.selectFrom('blob_upload').select('id'))
  const leftovers = () => storage.all(storage.builder.selectFrom('file_leftover').select('id'))
  const age = (seconds: number) =>
    storage.run(
      storage.builder
        .updateTable('blob_upload')
        .set({ touched_at: Math.floor(Date.now() / 1000) - seconds }),
    )
  return { ...lying, open, marks, leftovers, age }
}

function newBytes(blobs: BucketBlobs, text: string): NewBytes {
  const file = blobs.newTemporaryFile()
  writeFileSync(file, text)
  return { path: file, size: text.length, hash: createHash('sha256').update(text).digest('hex') }
}

test('two gateways on one bucket read what either of them stored', async () => {
  const { open, marks } = await createGateways()
  const [one, other] = [await open(), await open()]
  for (const [writer, reader] of [
    [one, other],
    [other, one],
  ] as const) {
    const bytes = newBytes(writer, 'words of one gateway')
    const id = await writer.prepare(bytes)
    await writer.claim(id)
    writer.keep(id)
    expect((await readWhole(reader, { id, ...bytes })).toString()).toBe('words of one gateway')
    expect((await reader.head({ id, ...bytes }, 5)).toString()).toBe('words')
    await reader.remove(id)
    await expect(writer.open({ id, ...bytes })).rejects.toThrow('missing')
  }
  expect(await marks()).toEqual([])
})

test('a gateway gives up what another one left on its way, once that one was silent for long', async () => {
  const { open, marks, leftovers, age } = await createGateways()
  const [dead, living] = [await open(), await open()]
  const id = await dead.prepare(newBytes(dead, 'never named'))
  await living.tidy()
  await living.sweep()
  expect([await marks(), await leftovers()]).toEqual([[{ id }], []])
  await age(120)
  await living.sweep()
  expect([await marks(), await leftovers()]).toEqual([[], [{ id }]])
  // It was only suspended: its bytes are gone, so it must not write their row.
  await expect(dead.claim(id)).rejects.toMatchObject({ status: 503 })
})

test('what a gateway itself has on its way is never given up by it', async () => {
  const { open, marks, age } = await createGateways()
  const blobs = await open()
  const id = await blobs.prepare(newBytes(blobs, 'slow'))
  await age(120)
  await blobs.sweep()
  expect(await marks()).toEqual([{ id }])
  await blobs.discard(id)
  expect(await marks()).toEqual([])
})

test('bytes that cannot be stored are written down nowhere', async () => {
  const { open, store, marks, leftovers } = await createGateways()
  const blobs = await open()
  store.conduct = 'refuses'
  const bytes = newBytes(blobs, 'refused')
  await expect(blobs.prepare(bytes)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '10' },
    message: expect.stringContaining('does not let the gateway in'),
  })
  expect(await marks()).toEqual([])
  // The bytes may have been stored nevertheless.
  expect(await leftovers()).toEqual([{ id: path.basename(bytes.path) }])
})

test('a file that is lent is gone when it was read, however that ended', async () => {
  const { open } = await createGateways()
  const folder = createTemporaryFolder()
  const blobs = await open(folder)
  const bytes = newBytes(blobs, 'to be read')
  const blob = { ...bytes, id: await blobs.prepare(bytes) }
  let lent = ''
  const reading = blobs.lend(blob, never, async (file) => {
    lent = file
    expect(existsSync(file)).toBe(true)
    throw new Error('not readable')
  })
  await expect(reading).rejects.toThrow('not readable')
  expect(lent).not.toBe('')
  expect(readdirSync(folder)).toEqual([path.basename(bytes.path)])
  const stopped = AbortSignal.abort()
  await expect(blobs.lend(blob, stopped, async () => undefined)).rejects.toThrow('aborted')
  expect(readdirSync(folder)).toEqual([path.basename(bytes.path)])
})

test('a stream that nobody reads ends the call of the store when it is closed', async () => {
  const { open, unfinished } = await createGateways()
  const blobs = await open()
  const bytes = newBytes(blobs, 'x'.repeat(20_000_000))
  const blob = { ...bytes, id: await blobs.prepare(bytes) }
  const stream = await blobs.open(blob)
  expect(unfinished.size).toBe(1)
  stream.destroy()
  await once(stream, 'close')
  await expect.poll(() => unfinished.size).toBe(0)
})

test('the next start removes what lay in the folder for temporary files', async () => {
  const { open } = await createGateways()
  const folder = createTemporaryFolder()
  newBytes(await open(folder), 'half')
  const again = await open(folder)
  const bytes = newBytes(again, 'on its way')
  await again.tidy()
  expect(readdirSync(folder)).toEqual([path.basename(bytes.path)])
})
