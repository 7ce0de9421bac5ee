import {
  ADD,
  advance,
  constant,
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
} from '../../lib/fast/wasm-program.ts'

/**
 * Inner loop of vector search as a WebAssembly module, written instruction by instruction because
 * no compiler is part of the build. One export, `scan(rows, count, width, query, scales, scores)`,
 * all 32-bit: for each of `count` rows of `width` bytes it writes the product with the 16-bit query
 * times the row's scale. A register processes sixteen values at a time.
 */

const [ROW, COUNT, WIDTH, QUERY, SCALE, SCORE, ROW_END, PLACE, SUM, CODES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
]

const ZERO = splat(0)
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

const bytes = program({
  name: 'scan',
  type: functionType(
    Array.from({ length: 6 }, () => I32),
    [],
  ),
  locals: [
    [2, I32],
    [2, V128],
  ],
  body: loop(oneRow),
})

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

let compiled: WebAssembly.Module | undefined

/** Creates the scan on a memory of the caller. */
export function createScan(memory: WebAssembly.Memory): Scan {
  compiled ??= new WebAssembly.Module(bytes)
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports['scan'] as Scan
}
