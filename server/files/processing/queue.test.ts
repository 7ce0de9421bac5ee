import { mapInOrder, someInOrder } from '../../lib/in-order.ts'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { badRequest, unavailable } from '../../lib/errors.ts'
import type { ExtractedDocument } from '../../retrieval/index.ts'
import { createPeople } from '../../testing/create-people.ts'
import { drawPng } from '../../testing/draw-png.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { createNotingIndex, filesBelow, nothingUses } from '../../testing/serve-files.ts'
import { Files } from '../index.ts'
import type { FilesDependencies } from '../files-dependencies.ts'
import type { FileEntry } from '../file-entry.ts'

type Extract = FilesDependencies['extraction']['extract']

const documentOf = (text: string): ExtractedDocument => ({
  text,
  format: 'text',
  title: null,
  pages: [],
  language: null,
  notices: [],
})
const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(badRequest('Stopped.'))),
  )

/**
 * A data folder that outlives the domains built on it, as one outlives the processes of a gateway.
 */
async function createPlace() {
  const people = await createPeople()
  const owner = (await people.addCaller('owner')).userId
  const friend = (await people.addCaller('friend')).userId
  const dataDir = createTemporaryFolder()
  const noted = createNotingIndex()
  const start = (extract: Extract, retrieval = noted.index): Files => {
    const files = new Files({
      uses: nothingUses,
      ...people,
      events: { emit: () => undefined },
      extraction: { canExtract: () => true, extract },
      retrieval,
      dataDir,
      log: createLogger('silent'),
    })
    onTestFinished(() => files.close())
    return files
  }
  return { ...people, ...noted, owner, friend, dataDir, start }
}

const add = (files: Files, owner: string, text: string): Promise<FileEntry> =>
  files.create(
    owner,
    { filename: `${text}.txt`, contentType: null, content: { bytes: Buffer.from(text) } },
    { process: true, background: true },
  )
const nameOnly: Extract = async ({ filename }) => documentOf(filename)

it('a file is not there without what is written along with it', async () => {
  const place = await createPlace()
  const files = place.start(nameOnly)
  const about = { filename: 'a.png', contentType: 'image/png', content: { bytes: drawPng(2, 2) } }
  const options = { process: false, background: true }
  const along = async () => {
    throw new Error('no room')
  }
  await expect(files.create(place.owner, { ...about, along }, options)).rejects.toThrow('no room')
  const seen: (string | undefined)[] = []
  const { id, meta } = await files.create(
    place.owner,
    { ...about, along: async (each) => void seen.push(each, (await files.find(each))?.id) },
    options,
  )
  expect(seen).toEqual([id, id])
  expect(meta.content_type).toBe('image/png')
  expect(await files.read(id)).toEqual(about.content.bytes)
  expect(readdirSync(path.join(place.dataDir, 'uploads', 'temporary'))).toEqual([])
})

describe('the queue', () => {
  it('does two jobs at a time, in order, but lets nobody keep others waiting', async () => {
    const place = await createPlace()
    const begun: string[] = []
    let [running, most] = [0, 0]
    const files = place.start(async ({ filename }) => {
      begun.push(filename)
      running += 1
      most = Math.max(most, running)
      await sleep(5)
      running -= 1
      return documentOf(filename)
    })
    for (let count = 0; count < 6; count += 1) await add(files, place.owner, `o${count}`)
    await add(files, place.friend, 'f0')
    await files.resume()
    await expect.poll(() => place.documents.size).toBe(7)
    expect(most).toBe(2)
    expect(begun.filter((name) => name.startsWith('o'))).toEqual(
      [0, 1, 2, 3, 4, 5].map((count) => `o${count}.txt`),
    )
    expect(begun.indexOf('f0.txt')).toBeLessThanOrEqual(2)
  })

  it('takes up at the next start what the last one had not finished, and leaves nothing pending', async () => {
    const place = await createPlace()
    const first = place.start((_source, { signal }) => stopped(signal))
    await first.resume()
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1)
      ids.push((await add(first, place.owner, `${count}`)).id)
    await sleep(10)
    // The first one is not closed: this simulates a crash. One job was lost between two steps.
    await place.storage.prepare('update file set job = null where id = ?').run(ids[3])
    const second = place.start(nameOnly)
    await second.resume()
    await expect
      .poll(() => mapInOrder(ids, async (id) => (await second.find(id))?.status))
      .toEqual(ids.map(() => 'completed'))
  })

  it('gives up a file the gateway did not survive three times', async () => {
    const place = await createPlace()
    const { id } = await add(place.start(nameOnly), place.owner, 'bomb')
    for (let crash = 0; crash < 3; crash += 1) {
      const files = place.start((_source, { signal }) => stopped(signal))
      await files.resume()
      await sleep(10)
      expect((await files.find(id))?.status).toBe('pending')
    }
    const files = place.start(nameOnly)
    await files.resume()
    expect(await files.find(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('several times'),
    })
    expect(await files.process(id)).toMatchObject({ status: 'completed' })
  })

  it('does not count stops of its own as failures', async () => {
    const place = await createPlace()
    const { id } = await add(place.start(nameOnly), place.owner, 'slow')
    for (let stop = 0; stop < 5; stop += 1) {
      const files = place.start((_source, { signal }) => stopped(signal))
      await files.resume()
      await sleep(5)
      await files.close()
    }
    const files = place.start(nameOnly)
    await files.resume()
    await expect.poll(async () => (await files.find(id))?.status).toBe('completed')
  })

  it('ends a file as failed with the sentence of the reader or the index, never with an inner fault', async () => {
    const place = await createPlace()
    const entryOf = async (extract: Extract, index = place.index) => {
      const files = place.start(extract, index)
      await files.resume()
      return files.create(
        place.owner,
        { filename: 'a', contentType: null, content: { bytes: Buffer.from('x') } },
        { process: true, background: false },
      )
    }
    expect(await entryOf(() => Promise.reject(badRequest('The file is locked.')))).toMatchObject({
      status: 'failed',
      error: 'The file is locked.',
    })
    const inner = await entryOf(() => Promise.reject(new Error('ENOENT /secret/path')))
    expect(inner).toMatchObject({ status: 'failed', error: expect.not.stringContaining('secret') })
    const notices = { ...documentOf('  \n'), notices: ['3 of 3 pages are pictures without text.'] }
    expect(await entryOf(async () => notices)).toMatchObject({
      status: 'failed',
      error: notices.notices[0],
    })
    const broken = {
      ...place.index,
      index: () => Promise.reject(badRequest('The embedding model does not answer.')),
    }
    expect(await entryOf(nameOnly, broken)).toMatchObject({
      status: 'failed',
      error: 'The embedding model does not answer.',
    })
  })

  it('lets a file wait whose bytes cannot be had at the moment, as nothing is wrong with it', async () => {
    const place = await createPlace()
    let tries = 0
    const files = place.start(async () => {
      tries += 1
      throw unavailable('The store is away.', { code: 'store_unavailable' })
    })
    await files.resume()
    const { id } = await add(files, place.owner, 'waiting')
    await expect.poll(() => tries).toBe(1)
    await sleep(50)
    expect(await files.find(id)).toMatchObject({ status: 'pending', error: null })
    await files.close()
    const again = place.start(nameOnly)
    await again.resume()
    await expect.poll(async () => (await again.find(id))?.status).toBe('completed')
  })

  it('stops the work on a file that gets another text or is deleted', async () => {
    const place = await createPlace()
    let ended = 0
    const files = place.start(async (_source, { signal }) => {
      try {
        return await stopped(signal)
      } finally {
        ended += 1
      }
    })
    await files.resume()
    const [first, second] = [await add(files, place.owner, '1'), await add(files, place.owner, '2')]
    await sleep(5)
    await files.updateContent(first.id, 'Written by hand')
    expect((await files.find(first.id))?.status).toBe('completed')
    expect(place.documents.get(first.id)?.text).toBe('Written by hand')
    await files.remove(second.id)
    await expect.poll(() => ended).toBe(2)
    expect(await files.find(second.id)).toBeNull()
  })

  it('keeps one of several texts that are written for a file at once, whole', async () => {
    const place = await createPlace()
    const files = place.start(nameOnly)
    await files.resume()
    const { id } = await add(files, place.owner, '1')
    await expect.poll(async () => (await files.find(id))?.status).toBe('completed')
    const texts = ['a', 'b', 'c'].map((letter, index) => letter.repeat((3 - index) * 1_000_000))
    await Promise.all([...texts.map((text) => files.updateContent(id, text)), files.process(id)])
    expect((await files.find(id))?.status).toBe('completed')
    expect((await files.content(id))!.text).toBe(place.documents.get(id)!.text)
    expect(
      await someInOrder(
        ['1.txt', ...texts],
        async (text) => text === (await files.content(id))!.text,
      ),
    ).toBe(true)
    expect(
      await place.storage.prepare('select count(distinct version) from file_text').pluck().get(),
    ).toBe(1)
  })

  it('says that a file is gone which was deleted while a long text was written for it', async () => {
    const place = await createPlace()
    const files = place.start(nameOnly)
    await files.resume()
    const { id } = await add(files, place.owner, '1')
    await expect.poll(async () => (await files.find(id))?.status).toBe('completed')
    const written = files.updateContent(id, 'a'.repeat(2_000_000))
    await sleep(0)
    await files.remove(id)
    await expect(written).rejects.toMatchObject({ status: 404 })
  })

  it('forgets passages that came in while their file was being deleted', async () => {
    const place = await createPlace()
    const files = place.start(nameOnly, {
      ...place.index,
      index: async (document, options) => {
        await files.remove(document.id)
        return place.index.index(document, { ...options, signal: new AbortController().signal })
      },
    })
    await files.resume()
    await add(files, place.owner, '1')
    await sleep(30)
    expect([...place.documents.keys()]).toEqual([])
  })
})

it('bytes go with the last of several files that are deleted in one go', async () => {
  const place = await createPlace()
  const files = place.start(nameOnly)
  await files.resume()
  const bytes = Buffer.from('the same bytes')
  const addSame = (filename: string) =>
    files.create(
      place.owner,
      { filename, contentType: null, content: { bytes } },
      { process: true, background: false },
    )
  const made = [await addSame('a.txt'), await addSame('b.txt')]
  for (const { id } of made) await files.remove(id)
  await expect.poll(() => filesBelow(path.join(place.dataDir, 'uploads'))).toEqual([])
})

it('a start removes bytes and passages of deleted files, and texts that were never finished', async () => {
  const place = await createPlace()
  const first = place.start(nameOnly)
  await first.resume()
  const { id } = await add(first, place.owner, 'kept')
  await expect.poll(async () => (await first.find(id))?.status).toBe('completed')
  const { id: gone } = await add(first, place.owner, 'gone')
  await expect.poll(async () => (await first.find(gone))?.status).toBe('completed')
  await first.close()
  await place.storage.prepare('delete from file where id = ?').run(gone)
  await place.storage.prepare('insert into file_text values (?, 7, 0, ?)').run(id, 'half')
  const second = place.start(nameOnly)
  await second.resume()
  await expect.poll(() => filesBelow(path.join(place.dataDir, 'uploads')).length).toBe(1)
  expect([...place.documents.keys()]).toEqual([id])
  await expect
    .poll(() => place.storage.prepare('select count(*) from file_text').pluck().get())
    .toBe(1)
  expect((await second.content(id))?.text).toBe('kept.txt')
})
