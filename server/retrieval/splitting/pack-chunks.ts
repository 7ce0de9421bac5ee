import type { Block } from './block.ts'
import { splitBlock, type Unit } from './split-block.ts'
import type { SplitOptions } from './split-document.ts'

/** A passage as it is stored, but for its text. */
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

/** Longest header of a table that is repeated, in characters. */
const LONGEST_PREFACE = 1000
/** A paragraph that does not fit any more begins a new chunk when the one before is this full. */
const FULL_ENOUGH = 0.6
const MOST_HEADINGS = 8
const LONGEST_HEADING = 200

/** Gathers blocks to chunks of one page after the other. */
export interface Packer {
  begin(page: Page): void
  add(block: Block): Generator<Chunk>
  finish(): Generator<Chunk>
}

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

/** The whole sentences or lines at the end that the next chunk may repeat. */
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

/** Headings the text stands under at any place. */
function createOutline() {
  let open: { level: number; title: string }[] = []
  let path: readonly string[] = []
  return {
    enter({ level = 1, title = '' }: Block): void {
      open = [
        ...open.filter((heading) => heading.level < level).slice(-MOST_HEADINGS + 1),
        { level, title: title.slice(0, LONGEST_HEADING) },
      ]
      path = open.map((heading) => heading.title)
    },
    path: () => path,
  }
}

export function createPacker(
  text: string,
  { size, overlap, minimum, breakAtHeadings, count }: SplitOptions,
): Packer {
  const outline = createOutline()
  let page: Page = { page: null, page_label: null }
  let parts: Part[] = []
  let tokens = 0
  /** The last chunk waits, so that a short one after it can be joined with it. */
  let last: { chunk: Chunk; parts: Part[] } | null = null

  function prefaceOf({ block, start }: Part): string {
    if (block.headerEnd === undefined || start < block.headerEnd) return ''
    return text.slice(block.start, block.headerEnd).trimEnd().slice(0, LONGEST_PREFACE)
  }

  function toChunk(from: readonly Part[]): Chunk {
    const first = from[0]!
    return {
      start: first.start,
      end: from.at(-1)!.end,
      ...page,
      heading: commonPath(from),
      preface: prefaceOf(first),
      tokens: sumOf(from),
    }
  }

  function* release(): Generator<Chunk> {
    if (last) yield last.chunk
    last = null
  }

  function* flush(closed: Part[]): Generator<Chunk> {
    if (closed.length === 0 || text.slice(closed[0]!.start, closed.at(-1)!.end).trim() === '')
      return
    const fresh = last ? closed.filter(({ start }) => start >= last!.chunk.end) : closed
    const isShort = last !== null && (sumOf(closed) < minimum || last.chunk.tokens < minimum)
    if (isShort && last && last.chunk.tokens + sumOf(fresh) <= size) {
      const joined = [...last.parts, ...fresh]
      last = { chunk: toChunk(joined), parts: joined }
      return
    }
    yield* release()
    last = { chunk: toChunk(closed), parts: closed }
  }

  /** Closes the chunk before `next`; headings at its end go with what they stand above. */
  function* close(next: Part): Generator<Chunk> {
    let kept = parts.length
    while (kept > 0 && parts[kept - 1]!.block.kind === 'heading') kept -= 1
    const carried = parts.slice(kept)
    const closed = parts.slice(0, kept)
    yield* flush(closed.length === 0 ? carried : closed)
    const repeats =
      carried.length === 0 && next.block.kind !== 'heading' && next.block.kind !== 'table'
    parts =
      closed.length === 0
        ? []
        : repeats
          ? overlapOf(closed, Math.min(overlap, size - next.tokens))
          : carried
    tokens = sumOf(parts)
    if (tokens + next.tokens > size) {
      yield* flush(carried.length > 0 ? parts : [])
      parts = []
      tokens = 0
    }
  }

  return {
    begin(next) {
      page = next
    },
    *add(block) {
      if (block.kind === 'heading') outline.enter(block)
      const path = outline.path()
      const units = [...splitBlock(text, block, size, count)]
      const whole = units.reduce((sum, unit) => sum + unit.tokens, 0)
      const isNew =
        block.kind === 'heading' &&
        breakAtHeadings &&
        tokens >= minimum &&
        parts.some((part) => part.block.kind !== 'heading')
      const first = { ...units[0]!, block, path }
      if (
        isNew ||
        (parts.length > 0 && whole <= size && tokens + whole > size && tokens >= size * FULL_ENOUGH)
      )
        yield* close(first)
      for (const unit of units) {
        const part = { ...unit, block, path }
        if (parts.length > 0 && tokens + unit.tokens > size) yield* close(part)
        parts.push(part)
        tokens += unit.tokens
      }
    },
    *finish() {
      yield* flush(parts)
      yield* release()
      parts = []
      tokens = 0
    },
  }
}
