const MAGIC = 0x67_67_6d_6c
const WORDS = 51_864
const TEXT_WORDS = 50_256
const FILTERS = 80
const WIDTH = 201
const STATE = 8
const HEADS = 2
const HEARD = 1500
const SAID = 448
/** Numbers of words that mean something to the engine. */
const BLANK = 220
const END = 50_256
const TIME_ZERO = 50_363
const SPOKEN = ['Good', 'morning']
const LOUD = 30
const FAR = 10_000
/** What is said at each place, the last one until the end. */
const SEQUENCE = [TIME_ZERO, ...SPOKEN.keys(), END]

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeInt32LE(value, index * 4))
  return bytes
}

function floats(count: number, valueAt: (index: number) => number): Buffer {
  return Buffer.from(Float32Array.from({ length: count }, (_, index) => valueAt(index)).buffer)
}

function tensor(
  name: string,
  shape: readonly number[],
  valueAt: (index: number) => number = () => 0,
): Buffer {
  const label = Buffer.from(name)
  const count = shape.reduce((product, each) => product * each, 1)
  return Buffer.concat([
    numbers(shape.length, label.length, 0, ...shape),
    label,
    floats(count, valueAt),
  ])
}

const norm = (name: string): Buffer[] => [
  tensor(`${name}.weight`, [STATE], () => 1),
  tensor(`${name}.bias`, [STATE], () => 0),
]

const linear = (name: string, from: number, to: number): Buffer[] => [
  tensor(`${name}.weight`, [from, to]),
  tensor(`${name}.bias`, [to]),
]

const attention = (name: string): Buffer[] => [
  ...norm(`${name}_ln`),
  ...linear(`${name}.query`, STATE, STATE),
  tensor(`${name}.key.weight`, [STATE, STATE]),
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
  tensor(`${name}.weight`, [3, channels, STATE]),
  tensor(`${name}.bias`, [1, STATE]),
]

/** What it hears in every recording. */
export const TINY_WORDS = SPOKEN.join(' ')

/**
 * A speech model of English in the format of the engine that is deaf: each place of the text alone
 * says which word stands there, so that it hears the same in everything.
 */
export function createTinySpeechModel(): Buffer {
  const words = Array.from({ length: TEXT_WORDS }, (_, index) => {
    const word = Buffer.from(index === BLANK ? ' ' : ` ${SPOKEN[index] ?? `w${index}`}`)
    return Buffer.concat([numbers(word.length), word])
  })
  return Buffer.concat([
    // The engine knows models by their blocks of sound; four are those of the smallest.
    numbers(MAGIC, WORDS, HEARD, STATE, HEADS, 4, SAID, STATE, HEADS, 4, FILTERS, 0),
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
    tensor('decoder.token_embedding.weight', [STATE, WORDS], (index) =>
      SEQUENCE[index % STATE] === Math.floor(index / STATE) ? LOUD : 0,
    ),
    ...[0, 1, 2, 3].flatMap((index) => block(`decoder.blocks.${index}`, true)),
    ...norm('decoder.ln'),
  ])
}
