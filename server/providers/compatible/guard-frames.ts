import { LINE_LIMIT, LineTooLongError } from '../../lib/lines.ts'

const LF = 10
const CR = 13
const COLON = 58
const SPACE = 32
const OPENING_BRACE = 123
const CLOSING_BRACE = 125
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const END_MARK = Buffer.from('[DONE]')
const DATA = Buffer.from('data:')
const OTHER_FIELDS = [Buffer.from('event:'), Buffer.from('id:'), Buffer.from('retry:')]

/**
 * Lets the lines of an event stream pass as bytes, without parsing them: whole lines only, so that a stream that breaks
 * off can still be ended properly; data that is no JSON object, and everything after `[DONE]`, is left out.
 */
export interface FrameGuard {
  /** Bytes that may be written now; the chunk itself when nothing had to be held back. */
  push(chunk: Buffer): Buffer
  /** What was left when the upstream ended. */
  end(): Buffer
  /** Whether `[DONE]` has passed. */
  isDone(): boolean
}

type Verdict = 'pass' | 'drop' | 'done'

const startsWith = (bytes: Buffer, start: number, end: number, word: Buffer): boolean =>
  end - start >= word.length && bytes.compare(word, 0, word.length, start, start + word.length) === 0

function judgeData(bytes: Buffer, start: number, end: number): Verdict {
  if (bytes[start] === OPENING_BRACE) return bytes[end - 1] === CLOSING_BRACE ? 'pass' : 'drop'
  return end - start === END_MARK.length && startsWith(bytes, start, end, END_MARK) ? 'done' : 'drop'
}

/** Judges the line from `start` to `end`, its end mark excluded. */
function judgeLine(bytes: Buffer, start: number, end: number): Verdict {
  if (start === end || bytes[start] === COLON) return 'pass'
  if (startsWith(bytes, start, end, DATA)) {
    const from = start + DATA.length
    return judgeData(bytes, bytes[from] === SPACE ? from + 1 : from, end)
  }
  return OTHER_FIELDS.some((word) => startsWith(bytes, start, end, word)) ? 'pass' : 'drop'
}

/** Some senders end lines with CR alone; JSON has no raw CR inside, so each one may become LF. */
function withLineFeeds(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(CR); at !== -1; at = copy.indexOf(CR, at + 1)) copy[at] = LF
  return copy
}

export function createFrameGuard(): FrameGuard {
  let held: Buffer | null = null
  let isFirst = true
  let isDone = false

  function join(chunk: Buffer): Buffer {
    const bytes = held ? Buffer.concat([held, chunk]) : chunk
    held = null
    if (!isFirst) return bytes
    if (bytes.length < BYTE_ORDER_MARK.length && startsWith(BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length, bytes)) {
      held = bytes
      return Buffer.alloc(0)
    }
    isFirst = false
    if (startsWith(bytes, 0, bytes.length, BYTE_ORDER_MARK)) return bytes.subarray(BYTE_ORDER_MARK.length)
    return bytes
  }

  function hold(rest: Buffer): void {
    if (rest.length > LINE_LIMIT) throw new LineTooLongError(`A line is longer than ${LINE_LIMIT} bytes.`)
    if (rest.length > 0) held = rest
  }

  /** The part of `bytes` up to `end` that may pass; copies only when a line is left out. */
  function sift(bytes: Buffer, end: number): Buffer {
    const kept: Buffer[] = []
    let keptFrom = 0
    let start = 0
    while (start < end && !isDone) {
      const lineFeed = bytes.indexOf(LF, start)
      const next = lineFeed + 1
      const verdict = judgeLine(bytes, start, bytes[lineFeed - 1] === CR && lineFeed > start ? lineFeed - 1 : lineFeed)
      if (verdict === 'drop') {
        if (start > keptFrom) kept.push(bytes.subarray(keptFrom, start))
        keptFrom = next
      }
      isDone = verdict === 'done'
      start = next
    }
    const last = bytes.subarray(keptFrom, start)
    if (isDone) return Buffer.concat([...kept, last, Buffer.from('\n')])
    return kept.length === 0 ? last : Buffer.concat([...kept, last])
  }

  return {
    push(chunk) {
      if (isDone) return Buffer.alloc(0)
      let bytes = join(chunk)
      let end = bytes.lastIndexOf(LF) + 1
      if (end === 0 && bytes.includes(CR)) {
        bytes = withLineFeeds(bytes)
        end = bytes.lastIndexOf(LF) + 1
      }
      hold(bytes.subarray(end))
      return sift(bytes, end)
    },
    end() {
      if (!held || isDone) return Buffer.alloc(0)
      const bytes = Buffer.concat([held, Buffer.from('\n\n')])
      held = null
      return sift(bytes, bytes.length)
    },
    isDone: () => isDone,
  }
}
