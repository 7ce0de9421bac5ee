// A process that indexes documents until it is killed: node index-forever.ts <folder>. Says each
// document it finished.
import path from 'node:path'
import { IndexThread } from '../retrieval/indexing/index-thread.ts'
import { RetrievalStore } from '../retrieval/store.ts'
import { openStorage } from '../storage/index.ts'

const storage = openStorage({ path: path.join(process.argv[2]!, 'index.db') })
const store = new RetrievalStore(storage)
const thread = new IndexThread({ database: storage.sqlite.name, writeTurns: storage.writeTurns })
const never = new AbortController().signal
const plan = {
  size: 50,
  overlap: 10,
  minimum: 10,
  breakAtHeadings: true,
  unit: 'characters',
  engine: 'test',
  batch: 16,
  parallel: 2,
} as const

const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
  texts.map((text) => Float32Array.from([1, text.length, 2]))

for (let round = 0; ; round += 1) {
  const id = `document-${round % 3}`
  const text = Array.from(
    { length: 120 },
    (_, place) => `Version ${round} says sentence ${place} about rivers and bridges. `,
  ).join('')
  const content = {
    text,
    format: 'text',
    title: null,
    pages: [],
    language: null,
    notices: [],
  } as const
  const source = { id, kind: 'text', name: id, metadata: {}, content } as const
  const version = await thread.run(source, plan, { embed, onProgress: () => {} }, never)
  await store.putInPlace(id, version.seq)
  await store.addMember('all', id)
  version.settle()
  process.stdout.write(`${id} ${round}\n`)
}
