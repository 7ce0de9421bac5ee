/**
 * Writes WebAssembly modules instruction by instruction, because no compiler is part of the build.
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

export const I32 = 0x7f
export const V128 = 0x7b
const EMPTY = 0x40
const LANES = 16

export const get = (local: number): number[] => [0x20, local]
export const set = (local: number): number[] => [0x21, local]
/** A number from 0 to 63, as one byte is signed. */
export const constant = (value: number): number[] => [0x41, ...unsigned(value)]
export const simd = (code: number, ...rest: number[]): number[] => [
  0xfd,
  ...unsigned(code),
  ...rest,
]
export const ADD = [0x6a]
export const LESS_UNSIGNED = [0x49]
export const EQUALS_ZERO = [0x45]
export const loop = (body: readonly number[]): number[] => [0x03, EMPTY, ...body, 0x0b]
export const repeatIf = [0x0d, 0]
export const advance = (local: number, step: readonly number[]): number[] => [
  ...get(local),
  ...step,
  ...ADD,
  ...set(local),
]
export const loadV128 = (offset: number): number[] => simd(0, 0, ...unsigned(offset))
/** Sixteen times the same byte. */
export const splat = (byte: number): number[] =>
  simd(12, ...Array.from({ length: LANES }, () => byte))

export const functionType = (from: readonly number[], to: readonly number[]): number[] => [
  0x60,
  ...vector(from.map((type) => [type])),
  ...vector(to.map((type) => [type])),
]

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

interface Program {
  /** Name of the only export. */
  readonly name: string
  readonly type: readonly number[]
  /** Number and type of its variables besides the parameters. */
  readonly locals: readonly (readonly [number, number])[]
  readonly body: readonly number[]
}

/** Returns a module of one function that works on the memory `env.memory` of at least a page. */
export function program({ name: exported, type, locals, body }: Program): Uint8Array {
  const code = [...vector(locals), ...body, 0x0b]
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, vector([type])),
    ...section(2, vector([[...name('env'), ...name('memory'), 0x02, 0x00, 0x01]])),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...name(exported), 0x00, 0x00]])),
    ...section(10, vector([[...unsigned(code.length), ...code]])),
  ])
}
