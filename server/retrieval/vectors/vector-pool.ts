import { quantiseQuery } from './quantise.ts'
import { Slab, type Run } from './slab.ts'
import { TopList } from './top-list.ts'

/** A version of a document with its chunks. */
export interface VectorDocument {
  readonly seq: number
  readonly firstChunk: number
  readonly chunks: number
}

/** A row of the table of codes. */
export interface CodeRows {
  readonly first_chunk: number
  readonly chunks: number
  readonly scales: Buffer
  readonly codes: Buffer
}

type Placed = { readonly slab: Slab } & Run

/** Joins adjacent runs, so that many small documents are scanned at once. */
function mergeRuns(placed: readonly Placed[]): Map<Slab, Run[]> {
  const bySlab = Map.groupBy(placed, ({ slab }) => slab)
  return new Map(
    [...bySlab].map(([slab, parts]) => {
      const runs: { from: number; count: number }[] = []
      for (const { from, count } of parts.sort((a, b) => a.from - b.from)) {
        const last = runs.at(-1)
        if (last && last.from + last.count === from) last.count += count
        else runs.push({ from, count })
      }
      return [slab, runs]
    }),
  )
}

/** Codes of recently searched documents, in memory. */
export class VectorPool {
  readonly #dimensions: number
  readonly #readCodes: (document: VectorDocument) => Iterable<CodeRows>
  readonly #largestBytes: number
  readonly #slabs: Slab[] = []
  readonly #placedOf = new Map<number, Placed[]>()
  #clock = 0

  /**
   * Keeps at most `largestBytes`, dropping the least recently searched documents first; documents
   * that do not fit are read again for each search.
   */
  constructor(
    dimensions: number,
    readCodes: (document: VectorDocument) => Iterable<CodeRows>,
    largestBytes: number,
  ) {
    this.#dimensions = dimensions
    this.#readCodes = readCodes
    this.#largestBytes = largestBytes
  }

  /** Returns for each query the `limit` chunks of the documents that are nearest by their codes. */
  search(
    documents: readonly VectorDocument[],
    queries: readonly Float32Array[],
    limit: number,
  ): { id: number; score: number }[][] {
    this.#clock += 1
    const codes = queries.map(quantiseQuery)
    const best = queries.map(() => new TopList(limit))
    const present: Placed[] = []
    const missing: VectorDocument[] = []
    for (const document of documents) {
      const placed = this.#placedOf.get(document.seq)
      if (placed) present.push(...placed)
      else if (document.chunks > 0) missing.push(document)
    }
    this.#scan(present, codes, best)
    this.#loadAndScan(missing, codes, best)
    return best.map((list) => list.take())
  }

  /** Drops documents that no longer exist. */
  retain(isThere: (seq: number) => boolean): void {
    for (const seq of this.#placedOf.keys()) if (!isThere(seq)) this.#placedOf.delete(seq)
    const rowsOf = new Map<Slab, number>()
    for (const placed of this.#placedOf.values())
      for (const { slab, count } of placed) rowsOf.set(slab, (rowsOf.get(slab) ?? 0) + count)
    for (const slab of this.#slabs.filter((each) => (rowsOf.get(each) ?? 0) * 2 < each.used))
      this.#drop(slab)
  }

  bytes(): number {
    return this.#slabs.reduce((sum, slab) => sum + slab.bytes, 0)
  }

  #drop(slab: Slab): void {
    this.#slabs.splice(this.#slabs.indexOf(slab), 1)
    for (const seq of slab.documents) this.#placedOf.delete(seq)
  }

  #openSlab(rows: number): Slab {
    const last = this.#slabs.at(-1)
    if (last && last.used + rows <= last.capacity) return last
    while (this.#slabs.length > 0 && this.bytes() >= this.#largestBytes)
      this.#drop(
        this.#slabs.reduce((oldest, slab) => (slab.lastUsed < oldest.lastUsed ? slab : oldest)),
      )
    const slab = new Slab(this.#dimensions)
    this.#slabs.push(slab)
    return slab
  }

  *#loadParts(document: VectorDocument): Generator<Placed> {
    for (const { first_chunk, chunks, codes, scales } of this.#readCodes(document)) {
      const slab = this.#openSlab(chunks)
      slab.lastUsed = this.#clock
      slab.documents.add(document.seq)
      yield { slab, from: slab.append(first_chunk, { codes, scales }, chunks), count: chunks }
    }
  }

  #scan(placed: readonly Placed[], queries: readonly Int16Array[], best: readonly TopList[]): void {
    for (const [slab, runs] of mergeRuns(placed)) {
      slab.lastUsed = this.#clock
      for (const [place, query] of queries.entries()) slab.search(runs, query, best[place]!)
    }
  }

  /** Reads documents and scans them before the next slab can evict them. */
  #loadAndScan(
    documents: readonly VectorDocument[],
    queries: readonly Int16Array[],
    best: readonly TopList[],
  ): void {
    let waiting: Placed[] = []
    const flush = (): void => {
      this.#scan(waiting, queries, best)
      waiting = []
    }
    for (const document of documents) {
      const parts: Placed[] = []
      let isWhole = true
      for (const part of this.#loadParts(document)) {
        if (waiting.length > 0 && waiting.at(-1)!.slab !== part.slab) flush()
        waiting.push(part)
        parts.push(part)
      }
      for (const { slab } of parts) isWhole &&= this.#slabs.includes(slab)
      if (isWhole) this.#placedOf.set(document.seq, parts)
    }
    flush()
  }
}
