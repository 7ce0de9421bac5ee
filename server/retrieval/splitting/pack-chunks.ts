import type { Block } from './block.ts'
import { splitBlock, type Unit } from './split-block.ts'
import type { SplitOptions } from './split-options.ts'

/** A passage as stored, without its text. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly page_label: string | null
  readonly heading: readonly string[]
  /** Header rows of the table a chunk continues; empty otherwise. */
  readonly preface: string
  readonly tokens: number
}

type Page = Pick<Chunk, 'page' | 'page_label'>
type Part = Unit & { readonly block: Block; readonly path: readonly string[] }

/** Maximum length of a repeated table header, in characters. */
const LONGEST_PREFACE = 1000
/** Fill level of a chunk from which a paragraph that does not fit starts a new one. */
const FULL_ENOUGH = 0.6
const MOST_HEADINGS = 8
const LONGEST_HEADING = 200

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)

function commonPath(parts: readonly Part[]): readonly string[] {
  const first = parts[0]!.path
  let length = first.length
  for (const { path } of parts) {
    let same = 0
    while (same < length && path[same] === first[same]) same += 1
    length = same
  }
  return length === first.length ? first : first.slice(0, length)
}

/** Returns the whole sentences or lines at the end that the next chunk may repeat. */
function overlapOf(parts: readonly Part[], overlap: number): Part[] {
  let from = parts.length
  let tokens = 0
  while (from > 1) {
    const part = parts[from - 1]!
    tokens += part.tokens
    if (tokens > overlap || part.block.kind === 'heading' || part.block.kind === 'table') break
    from -= 1
  }
  return parts.slice(from)
}

/** Headings above the text at the current position. */
class Outline {
  #open: { level: number; title: string }[] = []
  #path: readonly string[] = []

  enter({ level = 1, title = '' }: Block): void {
    this.#open = [
      ...this.#open.filter((heading) => heading.level < level).slice(-MOST_HEADINGS + 1),
      { level, title: title.slice(0, LONGEST_HEADING) },
    ]
    this.#path = this.#open.map((heading) => heading.title)
  }

  path() {
    return this.#path
  }
}

/** Combines blocks to chunks, page by page. */
export class Packer {
  readonly #options: SplitOptions
  readonly #text: string
  readonly #outline = new Outline()
  #page: Page = { page: null, page_label: null }
  #parts: Part[] = []
  #tokens = 0
  /** The last chunk is held back, so that a short one after it can be joined with it. */
  #last: { chunk: Chunk; parts: Part[] } | null = null

  constructor(text: string, options: SplitOptions) {
    this.#options = options
    this.#text = text
  }

  begin(next: Page): void {
    this.#page = next
  }

  *add(block: Block): Generator<Chunk> {
    const { size, count, breakAtHeadings, minimum } = this.#options
    if (block.kind === 'heading') this.#outline.enter(block)
    const path = this.#outline.path()
    const units = [...splitBlock(this.#text, block, size, count)]
    const whole = units.reduce((sum, unit) => sum + unit.tokens, 0)
    const isNew =
      block.kind === 'heading' &&
      breakAtHeadings &&
      this.#tokens >= minimum &&
      this.#parts.some((part) => part.block.kind !== 'heading')
    const first = { ...units[0]!, block, path }
    if (
      isNew ||
      (this.#parts.length > 0 &&
        whole <= size &&
        this.#tokens + whole > size &&
        this.#tokens >= size * FULL_ENOUGH)
    )
      yield* this.#close(first)
    for (const unit of units) {
      const part = { ...unit, block, path }
      if (this.#parts.length > 0 && this.#tokens + unit.tokens > size) yield* this.#close(part)
      this.#parts.push(part)
      this.#tokens += unit.tokens
    }
  }

  *finish(): Generator<Chunk> {
    yield* this.#flush(this.#parts)
    yield* this.#release()
    this.#parts = []
    this.#tokens = 0
  }

  #prefaceOf({ block, start }: Part): string {
    if (block.headerEnd === undefined || start < block.headerEnd) return ''
    return this.#text.slice(block.start, block.headerEnd).trimEnd().slice(0, LONGEST_PREFACE)
  }

  #toChunk(from: readonly Part[]): Chunk {
    const first = from[0]!
    return {
      start: first.start,
      end: from.at(-1)!.end,
      ...this.#page,
      heading: commonPath(from),
      preface: this.#prefaceOf(first),
      tokens: sumOf(from),
    }
  }

  *#release(): Generator<Chunk> {
    if (this.#last) yield this.#last.chunk
    this.#last = null
  }

  *#flush(closed: Part[]): Generator<Chunk> {
    const { minimum, size } = this.#options
    if (closed.length === 0 || this.#text.slice(closed[0]!.start, closed.at(-1)!.end).trim() === '')
      return
    const fresh = this.#last ? closed.filter(({ start }) => start >= this.#last!.chunk.end) : closed
    const isShort =
      this.#last !== null && (sumOf(closed) < minimum || this.#last.chunk.tokens < minimum)
    if (isShort && this.#last && this.#last.chunk.tokens + sumOf(fresh) <= size) {
      const joined = [...this.#last.parts, ...fresh]
      this.#last = { chunk: this.#toChunk(joined), parts: joined }
      return
    }
    yield* this.#release()
    this.#last = { chunk: this.#toChunk(closed), parts: closed }
  }

  /** Closes the chunk before `next`; headings at its end move to the text they belong to. */
  *#close(next: Part): Generator<Chunk> {
    const { overlap, size } = this.#options
    let kept = this.#parts.length
    while (kept > 0 && this.#parts[kept - 1]!.block.kind === 'heading') kept -= 1
    const carried = this.#parts.slice(kept)
    const closed = this.#parts.slice(0, kept)
    yield* this.#flush(closed.length === 0 ? carried : closed)
    const repeats =
      carried.length === 0 && next.block.kind !== 'heading' && next.block.kind !== 'table'
    this.#parts =
      closed.length === 0
        ? []
        : repeats
          ? overlapOf(closed, Math.min(overlap, size - next.tokens))
          : carried
    this.#tokens = sumOf(this.#parts)
    if (this.#tokens + next.tokens > size) {
      yield* this.#flush(carried.length > 0 ? this.#parts : [])
      this.#parts = []
      this.#tokens = 0
    }
  }
}
