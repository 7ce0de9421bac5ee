import { paddedWidth } from './quantise.ts'
import { createScan, type Scan } from './scan-program.ts'
import type { TopList } from './top-list.ts'

const PAGE_BYTES = 65_536
/** Memory of one slab; unwritten pages cost nothing. */
export const SLAB_BYTES = 32 * 1024 * 1024

/** Consecutive rows of a slab. */
export interface Run {
  readonly from: number
  readonly count: number
}

/** Codes of many chunks in the scan's memory. A class, because it owns that memory. */
export class Slab {
  readonly capacity: number
  /** Documents with rows in this slab. */
  readonly documents = new Set<number>()
  used = 0
  lastUsed = 0
  readonly #width: number
  readonly #scan: Scan
  readonly #memory: WebAssembly.Memory
  readonly #ids: Float64Array
  readonly #rows: number
  readonly #scales: number
  readonly #scores: number

  constructor(dimensions: number) {
    this.#width = paddedWidth(dimensions)
    this.capacity = Math.max(64, Math.floor(SLAB_BYTES / (this.#width + 8)))
    this.#rows = this.#width * 2
    this.#scales = this.#rows + this.capacity * this.#width
    this.#scores = this.#scales + this.capacity * 4
    this.#memory = new WebAssembly.Memory({
      initial: Math.ceil((this.#scores + this.capacity * 4) / PAGE_BYTES),
    })
    this.#ids = new Float64Array(this.capacity)
    this.#scan = createScan(this.#memory)
  }

  get bytes(): number {
    return this.used * (this.#width + 16)
  }

  /** Copies rows into the slab, which must have space for them. Returns the first of them. */
  append(
    firstChunk: number,
    { codes, scales }: { codes: Uint8Array; scales: Uint8Array },
    rows: number,
  ): number {
    const from = this.used
    new Uint8Array(this.#memory.buffer, this.#rows + from * this.#width, codes.length).set(codes)
    new Uint8Array(this.#memory.buffer, this.#scales + from * 4, scales.length).set(scales)
    for (let row = 0; row < rows; row += 1) this.#ids[from + row] = firstChunk + row
    this.used += rows
    return from
  }

  /** Offers the chunks of the given rows with their similarity to the query. */
  search(runs: readonly Run[], query: Int16Array, best: TopList): void {
    new Int16Array(this.#memory.buffer, 0, query.length).set(query)
    const scores = new Float32Array(this.#memory.buffer, this.#scores, this.used)
    for (const { from, count } of runs) {
      this.#scan(
        this.#rows + from * this.#width,
        count,
        this.#width,
        0,
        this.#scales + from * 4,
        this.#scores + from * 4,
      )
      let { floor } = best
      for (let row = from; row < from + count; row += 1) {
        if (scores[row]! <= floor) continue
        best.offer(scores[row]!, this.#ids[row]!)
        floor = best.floor
      }
    }
  }
}
