import type { Chunk } from '../splitting/pack-chunks.ts'
import type { FinishedIndexing, IndexingPlan, IndexingSource } from './messages.ts'
import type { BegunVersion, DocumentRow, VersionStore } from './version-store.ts'

/** Maximum length of the headings before an embedded passage, in characters. */
const LONGEST_HEADING = 300
/** Number of passages collected for one transaction. */
const WRITTEN_TOGETHER = 384
/** Engine id of versions without vectors: they are rebuilt when vectors become available. */
const NO_ENGINE = ''

/** Dependencies of a job. */
export interface JobTools {
  readonly versions: VersionStore
  /** Reason why vectors cannot be stored; null if they can. */
  readonly vectorProblem: string | null
  readonly split: (content: DocumentRow['content'], plan: IndexingPlan) => Promise<readonly Chunk[]>
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly onProgress: (done: number, total: number) => void
  /** Called with the version being written, so that it is not mistaken for a leftover. */
  readonly onBegun?: (seq: number) => void
}

/** A version being written. */
interface Version extends BegunVersion {
  readonly chunks: readonly Chunk[]
}

/** Describes the splitting of a version; another text requires splitting again. */
export const describeSplitting = ({
  size,
  overlap,
  minimum,
  breakAtHeadings,
  unit,
}: IndexingPlan): string =>
  `1 ${unit} ${size}/${overlap}/${minimum}${breakAtHeadings ? ' headings' : ''}`

function toRow(
  source: IndexingSource,
  versions: VersionStore,
): DocumentRow | null | Promise<DocumentRow | null> {
  if ('storedId' in source) return versions.read(source.storedId)
  const { id, kind, name, metadata, content } = source
  return { id, kind, name, metadata: JSON.stringify(metadata), content }
}

/** Returns the text to embed for a passage: its headings indicate its subject. */
function toEmbeddedText(name: string, { heading, preface }: Chunk, text: string): string {
  const place = heading.length > 0 ? heading.join(' › ') : name
  return [place.slice(0, LONGEST_HEADING), preface, text.trim()].filter(Boolean).join('\n')
}

type Vectors = readonly (Float32Array | null)[]

/** Yields the vectors of the chunks in order, some batches ahead of the consumer. */
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
    // A rejection is handled when its turn comes; this prevents an unhandled rejection until then.
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
 * Embeds the chunks batch by batch and writes several batches together, because each transaction
 * has a cost.
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

  const writeWaiting = async (): Promise<void> => {
    const embedded = waiting.map((vector, place) => {
      const chunk = chunks[written + place]!
      return { chunk, text: row.content.text.slice(chunk.start, chunk.end), vector }
    })
    await tools.versions.write({ seq, name: row.name }, firstChunk + written, embedded)
    written += embedded.length
    waiting = []
  }

  for await (const vectors of embedAll(row, chunks, plan, tools)) {
    if (dimensions === 0 && vectors[0]) {
      dimensions = vectors[0].length
      await tools.versions.openVectors(seq, dimensions)
    }
    if (vectors.some((vector) => vector !== null && vector.length !== dimensions))
      throw new Error('The engine answered with vectors of different lengths.')
    waiting.push(...vectors)
    const embedded = written + waiting.length
    if (waiting.length >= WRITTEN_TOGETHER || embedded === chunks.length) await writeWaiting()
    tools.onProgress(embedded, chunks.length)
  }
}

/**
 * Creates a complete version of a document beside the current one; resolves with null if a stored
 * one no longer exists.
 */
export async function runJob(
  source: IndexingSource,
  plan: IndexingPlan,
  tools: JobTools,
): Promise<FinishedIndexing | null> {
  // A stored document already has its words, and would gain nothing.
  if ('storedId' in source && tools.vectorProblem !== null) throw new Error(tools.vectorProblem)
  const row = await toRow(source, tools.versions)
  if (!row) return null
  const chunks = await tools.split(row.content, plan)
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  const begun = await tools.versions.begin(row, {
    engine: tools.vectorProblem === null ? plan.engine : NO_ENGINE,
    splitting: describeSplitting(plan),
    chunks: chunks.length,
    tokens,
  })
  const { seq } = begun
  tools.onBegun?.(seq)
  try {
    tools.onProgress(0, chunks.length)
    await embedAndWrite(row, { ...begun, chunks }, plan, tools)
    return { seq, chunks: chunks.length, tokens }
  } catch (error) {
    await tools.versions.discard(seq)
    throw error
  }
}
