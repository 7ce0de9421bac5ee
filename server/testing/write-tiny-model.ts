import { writeFileSync } from 'node:fs'

/** Options of a model with random weights. */
export interface TinyModelOptions {
  /** The name stored in the file. */
  readonly name?: string
  readonly contextLength?: number
  /** States its pooling in the metadata, as embedding models do. */
  readonly pooling?: 'mean' | 'rank'
  /** The Jinja template of its chats; models without one get the library's simplest one. */
  readonly chatTemplate?: string
  readonly license?: string
  readonly blocks?: number
  readonly seed?: number
}

type Value =
  | { readonly type: 'u32' | 'f32'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'texts'; readonly value: readonly string[] }
  | { readonly type: 'f32s' | 'i32s'; readonly value: readonly number[] }

interface Tensor {
  readonly name: string
  /** In the order of the format: the length of a row first. */
  readonly shape: readonly number[]
  readonly fill: (index: number) => number
}

const TYPES = { u32: 4, i32: 5, f32: 6, text: 8, array: 9 } as const
const ALIGNMENT = 32
const WIDTH = 64
const HEADS = 4
const HEAD_WIDTH = WIDTH / HEADS
const INNER = 128
const TOKEN_KINDS = { normal: 1, unknown: 2, control: 3, byte: 6 } as const
const WORDS =
  'the a river stone light walks over under green quiet morning bird sings and then it rains softly on every roof'.split(
    ' ',
  )

/** Returns a small generator with the same numbers for the same seed on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1)
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
    return (((state ^ (state >>> 14)) >>> 0) / 4_294_967_296) * 2 - 1
  }
}

function createVocabulary(): { tokens: string[]; kinds: number[] } {
  const tokens = ['<unk>', '<s>', '</s>']
  const kinds: number[] = [TOKEN_KINDS.unknown, TOKEN_KINDS.control, TOKEN_KINDS.control]
  for (let byte = 0; byte < 256; byte += 1) {
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
    kinds.push(TOKEN_KINDS.byte)
  }
  for (const word of WORDS) {
    tokens.push(`\u2581${word}`)
    kinds.push(TOKEN_KINDS.normal)
  }
  return { tokens, kinds }
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  const head = Buffer.alloc(8)
  head.writeBigUInt64LE(BigInt(bytes.length))
  return Buffer.concat([head, bytes])
}

function encodeNumber(type: 'u32' | 'i32' | 'f32', value: number): Buffer {
  const bytes = Buffer.alloc(4)
  if (type === 'f32') bytes.writeFloatLE(value)
  else if (type === 'i32') bytes.writeInt32LE(value)
  else bytes.writeUInt32LE(value)
  return bytes
}

function encodeArray(type: 'text' | 'f32' | 'i32', parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(TYPES[type])
  head.writeBigUInt64LE(BigInt(parts.length), 4)
  return Buffer.concat([head, ...parts])
}

function encodeValue({ type, value }: Value): Buffer {
  const typed = (code: number, bytes: Buffer): Buffer =>
    Buffer.concat([encodeNumber('u32', code), bytes])
  if (type === 'text') return typed(TYPES.text, encodeText(value))
  if (type === 'texts') return typed(TYPES.array, encodeArray('text', value.map(encodeText)))
  if (type === 'f32s' || type === 'i32s') {
    const item = type === 'f32s' ? 'f32' : 'i32'
    return typed(
      TYPES.array,
      encodeArray(
        item,
        value.map((each) => encodeNumber(item, each)),
      ),
    )
  }
  return typed(TYPES[type], encodeNumber(type, value as number))
}

/** Of the plain architectures of the engine, one ranks texts. */
const architectureOf = ({ pooling }: TinyModelOptions): string =>
  pooling === 'rank' ? 'qwen3' : 'llama'

function createMetadata(
  options: TinyModelOptions,
  { tokens, kinds }: { tokens: string[]; kinds: number[] },
): Record<string, Value> {
  const { name = 'Tiny', contextLength = 512, blocks = 2, pooling, chatTemplate, license } = options
  const architecture = architectureOf(options)
  return {
    'general.architecture': { type: 'text', value: architecture },
    'general.name': { type: 'text', value: name },
    'general.file_type': { type: 'u32', value: 0 },
    ...(license && { 'general.license': { type: 'text', value: license } as const }),
    [`${architecture}.context_length`]: { type: 'u32', value: contextLength },
    [`${architecture}.embedding_length`]: { type: 'u32', value: WIDTH },
    [`${architecture}.block_count`]: { type: 'u32', value: blocks },
    [`${architecture}.feed_forward_length`]: { type: 'u32', value: INNER },
    [`${architecture}.attention.head_count`]: { type: 'u32', value: HEADS },
    [`${architecture}.attention.head_count_kv`]: { type: 'u32', value: HEADS },
    [`${architecture}.attention.layer_norm_rms_epsilon`]: { type: 'f32', value: 1e-5 },
    [`${architecture}.rope.dimension_count`]: { type: 'u32', value: HEAD_WIDTH },
    [`${architecture}.vocab_size`]: { type: 'u32', value: tokens.length },
    ...(pooling && {
      [`${architecture}.pooling_type`]: { type: 'u32', value: pooling === 'mean' ? 1 : 4 } as const,
    }),
    ...(pooling === 'rank' && {
      [`${architecture}.attention.key_length`]: { type: 'u32', value: HEAD_WIDTH } as const,
      [`${architecture}.attention.value_length`]: { type: 'u32', value: HEAD_WIDTH } as const,
      [`${architecture}.classifier.output_labels`]: {
        type: 'texts',
        value: ['yes', 'no'],
      } as const,
    }),
    'tokenizer.ggml.model': { type: 'text', value: 'llama' },
    'tokenizer.ggml.tokens': { type: 'texts', value: tokens },
    'tokenizer.ggml.scores': { type: 'f32s', value: tokens.map((_, index) => -index) },
    'tokenizer.ggml.token_type': { type: 'i32s', value: kinds },
    'tokenizer.ggml.unknown_token_id': { type: 'u32', value: 0 },
    'tokenizer.ggml.bos_token_id': { type: 'u32', value: 1 },
    'tokenizer.ggml.eos_token_id': { type: 'u32', value: 2 },
    ...(chatTemplate && {
      'tokenizer.chat_template': { type: 'text', value: chatTemplate } as const,
    }),
  }
}

function createTensors(options: TinyModelOptions, kinds: number[]): Tensor[] {
  const { blocks = 2, seed = 7, pooling } = options
  const random = createRandom(seed)
  const noise = (scale: number) => (): number => random() * scale
  const ones = (): number => 1
  const matrix = (name: string, row: number, rows: number): Tensor => ({
    name,
    shape: [row, rows],
    fill: noise(0.35),
  })
  // Byte and control tokens get no weight, so that the output consists of words and never ends by
  // itself.
  const says = noise(1.5)
  const output = (index: number): number =>
    kinds[Math.floor(index / WIDTH)] === TOKEN_KINDS.normal ? says() : 0
  return [
    { name: 'token_embd.weight', shape: [WIDTH, kinds.length], fill: noise(0.6) },
    { name: 'output_norm.weight', shape: [WIDTH], fill: () => 2 },
    { name: 'output.weight', shape: [WIDTH, kinds.length], fill: output },
    ...Array.from({ length: blocks }, (_, block) => `blk.${block}`).flatMap((prefix): Tensor[] => [
      { name: `${prefix}.attn_norm.weight`, shape: [WIDTH], fill: ones },
      matrix(`${prefix}.attn_q.weight`, WIDTH, WIDTH),
      matrix(`${prefix}.attn_k.weight`, WIDTH, WIDTH),
      matrix(`${prefix}.attn_v.weight`, WIDTH, WIDTH),
      matrix(`${prefix}.attn_output.weight`, WIDTH, WIDTH),
      { name: `${prefix}.ffn_norm.weight`, shape: [WIDTH], fill: ones },
      matrix(`${prefix}.ffn_gate.weight`, WIDTH, INNER),
      matrix(`${prefix}.ffn_up.weight`, WIDTH, INNER),
      matrix(`${prefix}.ffn_down.weight`, INNER, WIDTH),
      ...(pooling === 'rank'
        ? ['attn_q_norm', 'attn_k_norm'].map((norm) => ({
            name: `${prefix}.${norm}.weight`,
            shape: [HEAD_WIDTH],
            fill: ones,
          }))
        : []),
    ]),
    ...(pooling === 'rank' ? [matrix('cls.output.weight', WIDTH, 2)] : []),
  ]
}

const sizeOf = ({ shape }: Tensor): number => shape.reduce((product, side) => product * side, 1)
const align = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

function encodeTensors(tensors: readonly Tensor[]): { heads: Buffer; data: Buffer } {
  const heads: Buffer[] = []
  const parts: Buffer[] = []
  let offset = 0
  for (const tensor of tensors) {
    const head = Buffer.alloc(4 + tensor.shape.length * 8 + 4 + 8)
    head.writeUInt32LE(tensor.shape.length)
    tensor.shape.forEach((side, place) => head.writeBigUInt64LE(BigInt(side), 4 + place * 8))
    head.writeBigUInt64LE(BigInt(offset), head.length - 8)
    heads.push(encodeText(tensor.name), head)
    const bytes = Buffer.alloc(align(sizeOf(tensor) * 4))
    for (let index = 0; index < sizeOf(tensor); index += 1)
      bytes.writeFloatLE(tensor.fill(index), index * 4)
    parts.push(bytes)
    offset += bytes.length
  }
  return { heads: Buffer.concat(heads), data: Buffer.concat(parts) }
}

/**
 * Returns the bytes of a model file with random weights that the engine can load, complete and
 * embed with.
 */
export function createTinyModel(options: TinyModelOptions = {}): Buffer {
  const vocabulary = createVocabulary()
  const metadata = Object.entries(createMetadata(options, vocabulary))
  const tensors = createTensors(options, vocabulary.kinds)
  const { heads, data } = encodeTensors(tensors)
  const start = Buffer.alloc(24)
  start.write('GGUF', 'latin1')
  start.writeUInt32LE(3, 4)
  start.writeBigUInt64LE(BigInt(tensors.length), 8)
  start.writeBigUInt64LE(BigInt(metadata.length), 16)
  const front = Buffer.concat([
    start,
    ...metadata.flatMap(([key, value]) => [encodeText(key), encodeValue(value)]),
    heads,
  ])
  const padding = Buffer.alloc(align(front.length) - front.length)
  return Buffer.concat([front, padding, data])
}

/** Writes such a model to a file. */
export const writeTinyModel = (file: string, options?: TinyModelOptions): void =>
  writeFileSync(file, createTinyModel(options))
