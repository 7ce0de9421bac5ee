// A process that indexes documents until it is killed: node index-forever.ts <folder>, or with the
// URL of a PostgreSQL database. Reports each finished document.
import path from 'node:path'
import { pino } from 'pino'
import { openPostgresIndex } from '../retrieval/postgres/open-postgres-index.ts'
import { openSqliteIndex } from '../retrieval/sqlite-index.ts'
import { RetrievalStore } from '../retrieval/store.ts'
import { openPostgres } from '../storage/postgres/open-postgres.ts'
import { openStorage, type Storage } from '../storage/index.ts'

const place = process.argv[2]!

function openWriter(storage: Storage) {
  if (storage.engine === 'postgres')
    return openPostgresIndex(storage, pino({ level: 'silent' })).writer
  const { sqlite, writeTurns } = storage
  return openSqliteIndex({ database: sqlite.name, writeTurns, vectorBytes: 0 }, () => undefined)
    .writer
}

const storage = place.startsWith('postgres:')
  ? await openPostgres({ address: place })
  : openStorage({ path: path.join(place, 'index.db') })
const store = new RetrievalStore(storage)
const writer = openWriter(storage)
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
    (_, sentence) => `Version ${round} says sentence ${sentence} about rivers and bridges. `,
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
  const version = await writer.run(source, plan, { embed, onProgress: () => {} }, never)
  await store.putInPlace(id, version.seq)
  await store.addMember('all', id)
  version.settle()
  process.stdout.write(`${id} ${round}\n`)
}
