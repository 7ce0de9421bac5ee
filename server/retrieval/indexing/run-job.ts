import { countCharacters, type CountTokens } from '../splitting/count-tokens.ts'
import type { Chunk } from '../splitting/pack-chunks.ts'
import { splitDocument } from '../splitting/split-document.ts'
import type { FinishedIndexing, IndexingPlan, IndexingSource } from './messages.ts'
import type { DocumentRow, IndexingStore } from './store.ts'
import type { PoliteWriter } from './write-politely.ts'

/** Longest stretch of headings put in front of a passage when it is embedded, in characters. */
const LONGEST_HEADING = 300
const SLICE_MILLISECONDS = 20
/** Passages that wait for the next transaction. */
const WRITTEN_TOGETHER = 384
/** Of versions without vectors: they are made anew when there can be some. */
const NO_ENGINE = ''

/** What a job works with. */
export interface JobTools {
  readonly store: IndexingStore
  /** Why vectors cannot be kept; null when they can. */
  readonly vectorProblem: string | null
  readonly writer: PoliteWriter
  readonly counter: () => Promise<CountTokens>
  /** Lets other messages in; throws when the job was cancelled. */
  readonly pause: () => Promise<void>
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly onProgress: (done: number, total: number) => void
  /** The version being written, so that nobody takes it for a leftover. */
  readonly onBegun: (seq: number) => void
}

/** What is being written. */
interface Version {
  readonly seq: number
  readonly firstChunk: number
  readonly chunks: readonly Chunk[]
}

/** Says what a version was cut by; another text means to cut it again. */
export const describeSplitting = ({
  size,
  overlap,
  minimum,
  breakAtHeadings,
  unit,
}: IndexingPlan): string =>
  `1 ${unit} ${size}/${overlap}/${minimum}${breakAtHeadings ? ' headings' : ''}`

function toRow(source: IndexingSource, store: IndexingStore): DocumentRow | null {
  if ('storedId' in source) return store.read(source.storedId)
  const { id, kind, name, metadata, content } = source
  return { id, kind, name, metadata: JSON.stringify(metadata), content }
}

async function split(
  { content }: DocumentRow,
  plan: IndexingPlan,
  tools: JobTools,
): Promise<Chunk[]> {
  const count = plan.unit === 'tokens' ? await tools.counter() : countCharacters
  const chunks: Chunk[] = []
  let until = performance.now() + SLICE_MILLISECONDS
  for (const chunk of splitDocument(content, { ...plan, count })) {
    chunks.push(chunk)
    if (performance.now() < until) continue
    await tools.pause()
    until = performance.now() + SLICE_MILLISECONDS
  }
  return chunks
}

/** What stands for a passage when it is embedded: where it stands says what it is about. */
function toEmbeddedText(name: string, { heading, preface }: Chunk, text: string): string {
  const place = heading.length > 0 ? heading.join(' › ') : name
  return [place.slice(0, LONGEST_HEADING), preface, text.trim()].filter(Boolean).join('\n')
}

type Vectors = readonly (Float32Array | null)[]

/** Vectors of the chunks in their order, some batches ahead of whoever takes them. */
async function* embedAll(
  row: DocumentRow,
  chunks: readonly Chunk[],
  plan: IndexingPlan,
  tools: JobTools,
): AsyncGenerator<Vectors> {
  const ask = (from: number): Promise<Vectors> => {
    const part = chunks.slice(from, from + plan.batch)
    if (tools.vectorProblem !== null) return Promise.resolve(part.map(() => null))
    const asked = tools.embed(
      part.map((chunk) =>
        toEmbeddedText(row.name, chunk, row.content.text.slice(chunk.start, chunk.end)),
      ),
    )
    // A failure is met when its turn comes; until then it is not unhandled.
    asked.catch(() => {})
    return asked
  }
  const ahead: Promise<Vectors>[] = []
  for (let from = 0, asked = 0; from < chunks.length; from += plan.batch) {
    for (; asked < chunks.length && ahead.length < plan.parallel; asked += plan.batch)
      ahead.push(ask(asked))
    yield await ahead.shift()!
  }
}

/**
 * Embeds the chunks batch by batch and writes some batches together, because each transaction has
 * its price.
 */
async function embedAndWrite(
  row: DocumentRow,
  version: Version,
  plan: IndexingPlan,
  tools: JobTools,
): Promise<void> {
  const { chunks, firstChunk, seq } = version
  let dimensions = 0
  let written = 0
  let waiting: (Float32Array | null)[] = []

  const writeSome = (rows: number): boolean => {
    const vectors = waiting.slice(0, rows)
    const embedded = vectors.map((vector, place) => {
      const chunk = chunks[written + place]!
      return { chunk, text: row.content.text.slice(chunk.start, chunk.end), vector }
    })
    tools.store.write({ seq, name: row.name }, firstChunk + written, embedded)
    written += vectors.length
    waiting = waiting.slice(vectors.length)
    return waiting.length > 0
  }

  for await (const vectors of embedAll(row, chunks, plan, tools)) {
    if (dimensions === 0 && vectors[0]) {
      dimensions = vectors[0].length
      tools.store.transaction(() => tools.store.openVectors(seq, dimensions))
    }
    if (vectors.some((vector) => vector !== null && vector.length !== dimensions))
      throw new Error('The engine answered with vectors of different lengths.')
    waiting.push(...vectors)
    const embedded = written + waiting.length
    if (waiting.length >= WRITTEN_TOGETHER || embedded === chunks.length)
      await tools.writer.run(writeSome)
    tools.onProgress(embedded, chunks.length)
  }
}

/**
 * Makes a complete version of a document beside the one that is in place; null when a stored one is
 * not there any more.
 */
export async function runJob(
  source: IndexingSource,
  plan: IndexingPlan,
  tools: JobTools,
): Promise<FinishedIndexing | null> {
  // What is stored has its words already, and would gain nothing.
  if ('storedId' in source && tools.vectorProblem !== null) throw new Error(tools.vectorProblem)
  const row = toRow(source, tools.store)
  if (!row) return null
  const chunks = await split(row, plan, tools)
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  const { seq, firstChunk } = tools.store.transaction(() => {
    const begun = tools.store.begin(
      row,
      tools.vectorProblem === null ? plan.engine : NO_ENGINE,
      describeSplitting(plan),
    )
    return { seq: begun, firstChunk: tools.store.reserve(begun, { chunks: chunks.length, tokens }) }
  })
  tools.onBegun(seq)
  try {
    tools.onProgress(0, chunks.length)
    await embedAndWrite(row, { seq, firstChunk, chunks }, plan, tools)
    return { seq, chunks: chunks.length, tokens }
  } catch (error) {
    tools.store.transaction(() => tools.store.discard(seq))
    throw error
  }
}
