import { BACKSLASH, QUOTE } from '../json/json-bytes.ts'
import {
  advance,
  constant,
  EQUALS_ZERO,
  functionType,
  get,
  I32,
  LESS_UNSIGNED,
  loadV128,
  loop,
  program,
  repeatIf,
  set,
  simd,
  splat,
  V128,
} from './wasm-program.ts'

const PAGE_BYTES = 64 * 1024
const LANES = 16
const SPACE = 0x20
/** Plain byte behind the last ones, up to the next multiple of sixteen. */
const FILLER = 0x41

const [END, PLACE, CODES, FOUND] = [0, 1, 2, 3]
const OR = simd(80)
const EQUALS = simd(35)
const LESS_SIGNED = simd(37)
const ANY = simd(83)

/** found |= the lanes for which the comparison with a byte is true */
const collect = (byte: number, comparison: readonly number[]): number[] => [
  ...get(FOUND),
  ...get(CODES),
  ...splat(byte),
  ...comparison,
  ...OR,
  ...set(FOUND),
]

const bytes = program({
  name: 'check',
  type: functionType([I32], [I32]),
  locals: [
    [1, I32],
    [2, V128],
  ],
  body: [
    ...loop([
      ...get(PLACE),
      ...loadV128(0),
      ...set(CODES),
      // As signed numbers, bytes from 0x80 are less than a space too.
      ...collect(SPACE, LESS_SIGNED),
      ...collect(QUOTE, EQUALS),
      ...collect(BACKSLASH, EQUALS),
      ...advance(PLACE, constant(LANES)),
      ...get(PLACE),
      ...get(END),
      ...LESS_UNSIGNED,
      ...repeatIf,
    ]),
    ...get(FOUND),
    ...ANY,
    ...EQUALS_ZERO,
  ],
})

interface Checker {
  readonly page: Buffer
  /** Returns 1 if the bytes of the page before this multiple of sixteen are plain. */
  readonly check: (end: number) => number
}

let checker: Checker | undefined

function createChecker(): Checker {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  return { page: Buffer.from(memory.buffer), check: exports['check'] as Checker['check'] }
}

/**
 * Returns true if bytes are printable ASCII without quotes and backslashes, such as base64. Reads
 * sixteen at once: in JavaScript, checking a picture takes as long as passing it on.
 */
export function arePlain(given: Buffer): boolean {
  const { page, check } = (checker ??= createChecker())
  for (let at = 0; at < given.length; at += PAGE_BYTES) {
    const length = given.copy(page, 0, at, at + PAGE_BYTES)
    const end = Math.ceil(length / LANES) * LANES
    page.fill(FILLER, length, end)
    if (check(end) === 0) return false
  }
  return true
}
