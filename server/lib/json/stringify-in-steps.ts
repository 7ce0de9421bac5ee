import { GatheredBytes } from '../bytes/gathered-bytes.ts'
import { fitsRecord } from './record-bounds.ts'

/** Size of the data passed to `JSON.stringify` at once. */
const SLICE = { values: 5000, characters: 256 * 1024 }
const MEMBERS_IN_A_STEP = 500

/** Returns true if serializing a value takes so long that it should be done in steps. */
export const isLargeJson = (value: unknown): boolean => !fitsRecord(value, SLICE)

/** Returns the end of a slice, moved so that it does not split a character. */
export const sliceEnd = (text: string, end: number): number => {
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

function* writeText(text: string): Generator<string> {
  let start = 0
  yield '"'
  while (start < text.length) {
    const end = sliceEnd(text, Math.min(text.length, start + SLICE.characters))
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'function'

/** Yields the JSON of a plain value, piece by piece. */
function* writePieces(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > SLICE.characters) return yield* writeText(value)
  if (typeof value !== 'object' || value === null || !isLargeJson(value))
    return yield JSON.stringify(isLeftOut(value) ? null : value)
  const isList = Array.isArray(value)
  const members = isList ? value.entries() : Object.entries(value)
  let isFirst = true
  yield isList ? '[' : '{'
  for (const [name, member] of members) {
    if (!isList && isLeftOut(member)) continue
    const before = `${isFirst ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`
    isFirst = false
    if (typeof member === 'object' || typeof member === 'string') {
      yield before
      yield* writePieces(member)
    } else yield before + JSON.stringify(isLeftOut(member) ? null : member)
  }
  yield isList ? ']' : '}'
}

/** Returns the JSON bytes of a plain value, in short steps; identical to `JSON.stringify`. */
export function* stringifyInSteps(value: unknown): Generator<void, Buffer> {
  const gathered = new GatheredBytes()
  let [text, members] = ['', 0]
  for (const piece of writePieces(value)) {
    text += piece
    if ((members += 1) % MEMBERS_IN_A_STEP !== 0 && text.length < SLICE.characters) continue
    gathered.add(Buffer.from(text, 'utf8'))
    text = ''
    yield
  }
  gathered.add(Buffer.from(text, 'utf8'))
  return yield* gathered.take()
}
