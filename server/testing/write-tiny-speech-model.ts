const MAGIC = 0x67_67_6d_6c
const WORDS = 51_864
const TEXT_WORDS = 50_256
const FILTERS = 80
const WIDTH = 201
const STATE = 8
const HEADS = 2
const HEARD = 1500
const SAID = 448
/** Ids of tokens with a meaning to the engine. */
const BLANK = 220
const END = 50_256
const TIME_ZERO = 50_363
const SPOKEN = ['Good', 'morning']
const LOUD = 30
const FAR = 10_000
/** Types of numbers in the file. */
const SINGLE = 0
const HALF = 1
/** Token at each position; the last one repeats until the end. */
const SEQUENCE = [TIME_ZERO, ...SPOKEN.keys(), END]

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeInt32LE(value, index * 4))
  return bytes
}

function floats(count: number, valueAt: (index: number) => number): Buffer {
  return Buffer.from(Float32Array.from({ length: count }, (_, index) => valueAt(index)).buffer)
}

const head = (name: string, shape: readonly number[], type: number): Buffer =>
  Buffer.concat([numbers(shape.length, name.length, type, ...shape), Buffer.from(name)])

const countOf = (shape: readonly number[]): number =>
  shape.reduce((product, each) => product * each, 1)

const zero = (): number => 0

/** A vector, or an embedding of positions, in single precision. */
const tensor = (
  name: string,
  shape: readonly number[],
  valueAt: (index: number) => number = zero,
): Buffer => Buffer.concat([head(name, shape, SINGLE), floats(countOf(shape), valueAt)])

/** A matrix in half precision, which the convolutions of the engine require. */
function matrix(
  name: string,
  shape: readonly number[],
  valueAt: (index: number) => number = zero,
): Buffer {
  const values = Float16Array.from({ length: countOf(shape) }, (_, index) => valueAt(index))
  return Buffer.concat([head(name, shape, HALF), Buffer.from(values.buffer)])
}

const norm = (name: string): Buffer[] => [
  tensor(`${name}.weight`, [STATE], () => 1),
  tensor(`${name}.bias`, [STATE], () => 0),
]

const linear = (name: string, from: number, to: number): Buffer[] => [
  matrix(`${name}.weight`, [from, to]),
  tensor(`${name}.bias`, [to]),
]

const attention = (name: string): Buffer[] => [
  ...norm(`${name}_ln`),
  ...linear(`${name}.query`, STATE, STATE),
  matrix(`${name}.key.weight`, [STATE, STATE]),
  ...linear(`${name}.value`, STATE, STATE),
  ...linear(`${name}.out`, STATE, STATE),
]

const block = (name: string, isDecoder: boolean): Buffer[] => [
  ...norm(`${name}.mlp_ln`),
  ...linear(`${name}.mlp.0`, STATE, STATE * 4),
  ...linear(`${name}.mlp.2`, STATE * 4, STATE),
  ...attention(`${name}.attn`),
  ...(isDecoder ? attention(`${name}.cross_attn`) : []),
]

const convolution = (name: string, channels: number): Buffer[] => [
  matrix(`${name}.weight`, [3, channels, STATE]),
  tensor(`${name}.bias`, [1, STATE]),
]

/** Transcript of every recording. */
export const TINY_WORDS = SPOKEN.join(' ')

/**
 * Creates an English speech model in the engine's format that ignores its audio: only the position
 * in the text determines the word, so every recording yields the same transcript.
 */
export function createTinySpeechModel(): Buffer {
  const words = Array.from({ length: TEXT_WORDS }, (_, index) => {
    const word = Buffer.from(index === BLANK ? ' ' : ` ${SPOKEN[index] ?? `w${index}`}`)
    return Buffer.concat([numbers(word.length), word])
  })
  return Buffer.concat([
    // The engine identifies models by their number of audio layers; four is that of the smallest.
    numbers(MAGIC, WORDS, HEARD, STATE, HEADS, 4, SAID, STATE, HEADS, 4, FILTERS, HALF),
    numbers(FILTERS, WIDTH),
    floats(FILTERS * WIDTH, (index) =>
      index % WIDTH === Math.floor(index / WIDTH) * 2 ? 0.02 : 0,
    ),
    numbers(words.length),
    ...words,
    tensor('encoder.positional_embedding', [STATE, HEARD]),
    ...convolution('encoder.conv1', FILTERS),
    ...convolution('encoder.conv2', STATE),
    ...[0, 1, 2, 3].flatMap((index) => block(`encoder.blocks.${index}`, false)),
    ...norm('encoder.ln_post'),
    tensor('decoder.positional_embedding', [STATE, SAID], (index) =>
      index % STATE === Math.min(Math.floor(index / STATE), SEQUENCE.length - 1) ? FAR : 0,
    ),
    matrix('decoder.token_embedding.weight', [STATE, WORDS], (index) =>
      SEQUENCE[index % STATE] === Math.floor(index / STATE) ? LOUD : 0,
    ),
    ...[0, 1, 2, 3].flatMap((index) => block(`decoder.blocks.${index}`, true)),
    ...norm('decoder.ln'),
  ])
}
