/**
 * Inner loop of vector search as a WebAssembly module, written instruction by instruction because
 * no compiler is part of the build. One export, `scan(rows, count, width, query, scales, scores)`,
 * all 32-bit: for each of `count` rows of `width` bytes it writes the product with the 16-bit query
 * times the row's scale. A register processes sixteen values at a time.
 */

const unsigned = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return bytes
}

const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
]
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
]
const name = (text: string): number[] => vector([...Buffer.from(text)].map((byte) => [byte]))

const I32 = 0x7f
const V128 = 0x7b
const EMPTY = 0x40

const [ROW, COUNT, WIDTH, QUERY, SCALE, SCORE, ROW_END, PLACE, SUM, CODES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
]

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const constant = (value: number): number[] => [0x41, ...unsigned(value)]
const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...unsigned(code), ...rest]
const ADD = [0x6a]
const LESS_UNSIGNED = [0x49]
const loop = (body: readonly number[]): number[] => [0x03, EMPTY, ...body, 0x0b]
const repeatIf = [0x0d, 0]
const advance = (local: number, step: readonly number[]): number[] => [
  ...get(local),
  ...step,
  ...ADD,
  ...set(local),
]

const loadV128 = (offset: number): number[] => simd(0, 0, ...unsigned(offset))
const ZERO = simd(12, ...Array.from({ length: 16 }, () => 0))
const EXTEND_LOW = simd(135)
const EXTEND_HIGH = simd(136)
const DOT = simd(186)
const ADD_LANES = simd(174)
const lane = (place: number): number[] => [...get(SUM), ...simd(27, place)]

/** sum += dot(half of the row's bytes as 16-bit, eight values of the query) */
const half = (extend: readonly number[], offset: number): number[] => [
  ...get(SUM),
  ...get(CODES),
  ...extend,
  ...get(PLACE),
  ...loadV128(offset),
  ...DOT,
  ...ADD_LANES,
  ...set(SUM),
]

const sixteenValues = [
  ...get(ROW),
  ...loadV128(0),
  ...set(CODES),
  ...half(EXTEND_LOW, 0),
  ...half(EXTEND_HIGH, 16),
  ...advance(ROW, constant(16)),
  ...advance(PLACE, constant(32)),
  ...get(ROW),
  ...get(ROW_END),
  ...LESS_UNSIGNED,
  ...repeatIf,
]

const oneRow = [
  ...ZERO,
  ...set(SUM),
  ...get(QUERY),
  ...set(PLACE),
  ...get(ROW),
  ...get(WIDTH),
  ...ADD,
  ...set(ROW_END),
  ...loop(sixteenValues),
  // *score = float(sum of the lanes) * *scale
  ...get(SCORE),
  ...lane(0),
  ...lane(1),
  ...ADD,
  ...lane(2),
  ...ADD,
  ...lane(3),
  ...ADD,
  0xb2,
  ...get(SCALE),
  0x2a,
  2,
  0,
  0x94,
  0x38,
  2,
  0,
  ...advance(SCALE, constant(4)),
  ...advance(SCORE, constant(4)),
  ...advance(COUNT, [0x41, 0x7f]),
  ...get(COUNT),
  ...repeatIf,
]

const functionType = [0x60, ...vector(Array.from({ length: 6 }, () => [I32])), ...vector([])]
const locals = vector([
  [2, I32],
  [2, V128],
])
const body = [...locals, ...loop(oneRow), 0x0b]

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const bytes = Uint8Array.from([
  ...MAGIC_AND_VERSION,
  ...section(1, vector([functionType])),
  ...section(2, vector([[...name('env'), ...name('memory'), 0x02, 0x00, 0x01]])),
  ...section(3, vector([[0]])),
  ...section(7, vector([[...name('scan'), 0x00, 0x00]])),
  ...section(10, vector([[...unsigned(body.length), ...body]])),
])

/**
 * Arguments are offsets into the memory; `rows` and `query` at multiples of 16, `scales` and
 * `scores` of 4. `count` is at least 1.
 */
export type Scan = (
  ...places: [
    rows: number,
    count: number,
    width: number,
    query: number,
    scales: number,
    scores: number,
  ]
) => void

let program: WebAssembly.Module | undefined

/** Creates the scan on a memory of the caller. */
export function createScan(memory: WebAssembly.Memory): Scan {
  program ??= new WebAssembly.Module(bytes)
  return new WebAssembly.Instance(program, { env: { memory } }).exports['scan'] as Scan
}
