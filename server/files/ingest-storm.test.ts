import { filterInOrder, mapInOrder } from '../lib/in-order.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { Extraction } from '../retrieval/extraction/index.ts'
import { createPeople } from '../testing/create-people.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { poisonedDocuments } from '../testing/poisoned-documents/index.ts'
import { createNotingIndex, filesBelow, nothingUses } from '../testing/serve-files.ts'
import { Files } from './index.ts'

const UPLOADS = 200
const BROKEN = [
  'truncated.docx',
  'corrupt.docx',
  'locked-entry.docx',
  'unknown-method.docx',
  'laughs.docx',
  'outside-entity.docx',
  'outside-parts.docx',
  'climbing-names.docx',
  'archive-within.docx',
  'overlapping.docx',
  'nested.zip',
  'outside-sheet.xlsx',
  'locked.odt',
  'locked.epub',
  'garbage.pdf',
  'truncated.pdf',
  'not-a.pdf',
  'scripts.pdf',
  'outside.html',
  'binary.rtf',
]

it(`R26: of ${UPLOADS} uploads, ${BROKEN.length} of them harmful, none stays pending, also when the gateway stops in between`, async () => {
  const people = await createPeople()
  const owner = (await people.addCaller('owner')).userId
  const { index, documents } = createNotingIndex()
  const extraction = new Extraction({ timeLimit: () => 30_000 })
  const dataDir = createTemporaryFolder()
  const start = (): Files => {
    const events = { emit: () => undefined }
    const files = new Files({
      ...people,
      uses: nothingUses,
      events,
      extraction,
      retrieval: index,
      dataDir,
      log: createLogger('silent'),
    })
    void files.resume()
    return files
  }
  const first = start()
  const harmful = new Map(poisonedDocuments.map((document) => [document.filename, document]))
  const ids: { id: string; filename: string }[] = []
  for (let count = 0; count < UPLOADS; count += 1) {
    const broken = harmful.get(BROKEN[count / 10] ?? '')
    const filename = broken?.filename ?? `note ${count}.md`
    const bytes =
      broken?.build('http://127.0.0.1:9') ??
      Buffer.from(`# Note ${count}\n\nSomething about ${count}.`)
    const { id } = await first.create(
      owner,
      { filename, contentType: null, content: { bytes } },
      { process: true, background: true },
    )
    ids.push({ id, filename })
  }
  await first.close()
  const second = start()
  onTestFinished(async () => {
    await second.close()
    await extraction.close()
  })
  const pending = async () =>
    (await filterInOrder(ids, async ({ id }) => (await second.find(id))?.status === 'pending'))
      .length
  await expect.poll(pending, { timeout: 100_000, interval: 100 }).toBe(0)
  const ends = await mapInOrder(ids, async ({ id, filename }) => ({
    ...(await second.find(id))!,
    outcome: harmful.get(filename)?.outcome ?? 'read',
  }))
  const expected = { refused: 'failed', read: 'completed', any: null }
  expect(
    ends.filter(
      ({ status, outcome }) => expected[outcome] !== null && status !== expected[outcome],
    ),
  ).toEqual([])
  expect(ends.filter(({ error }) => error !== null && !/^\p{Lu}.*\.$/su.test(error))).toEqual([])
  expect(ends.filter(({ id, status }) => documents.has(id) !== (status === 'completed'))).toEqual(
    [],
  )
  expect(ids.filter(({ filename }) => harmful.has(filename))).toHaveLength(BROKEN.length)
  expect(filesBelow(dataDir)).toHaveLength(ids.length)
}, 150_000)
