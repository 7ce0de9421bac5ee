import { open, type FileHandle } from 'node:fs/promises'

/** Metadata of a model file. */
export interface GgufInfo {
  readonly architecture: string
  readonly name: string | null
  readonly license: string | null
  readonly quantization: string | null
  readonly parameters: number
  readonly contextLength: number | null
  readonly embeddingLength: number | null
  readonly blocks: number | null
  readonly heads: number | null
  readonly keyValueHeads: number | null
  readonly pooling: number | null
  readonly chatTemplate: string | null
}

/** Error with the reason why a file is not a model. */
export class GgufFault extends Error {
  override readonly name = 'GgufFault'
}

const FIRST_READ = 256 * 1024
const LONGEST_HEAD = 128 * 1024 * 1024
const MOST_ENTRIES = 65_536
const MOST_SIDES = 8
const MOST_DEPTH = 4
const TEXT = 8
const ARRAY = 9
/** Sizes in bytes of the numeric types, by type code. */
const WIDTHS: Readonly<Record<number, number>> = {
  0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8,
} // prettier-ignore
const QUANTIZATIONS: Readonly<Record<number, string>> = {
  0: 'F32', 1: 'F16', 2: 'Q4_0', 3: 'Q4_1', 7: 'Q8_0', 8: 'Q5_0', 9: 'Q5_1', 10: 'Q2_K', 11: 'Q3_K_S',
  12: 'Q3_K_M', 13: 'Q3_K_L', 14: 'Q4_K_S', 15: 'Q4_K_M', 16: 'Q5_K_S', 17: 'Q5_K_M', 18: 'Q6_K',
  30: 'IQ4_XS', 32: 'BF16', 38: 'MXFP4',
} // prettier-ignore
/** Elements and bytes per block, by tensor type. */
const BLOCKS: Readonly<Record<number, readonly [number, number]>> = {
  0: [1, 4], 1: [1, 2], 2: [32, 18], 3: [32, 20], 6: [32, 22], 7: [32, 24], 8: [32, 34], 10: [256, 84],
  11: [256, 110], 12: [256, 144], 13: [256, 176], 14: [256, 210], 20: [32, 18], 23: [256, 136], 30: [1, 2],
  39: [32, 17],
} // prettier-ignore

const NO_MODEL = 'This file is no model in the GGUF format.'
const DAMAGED = 'This model file is damaged. Download it again.'
const CUT_OFF = 'This model file ends too early. Download it again, or continue its download.'

/** Thrown when more of the file must be read first. */
class NeedsMore extends Error {}

/** Parses the head of a file from the bytes read so far. */
class HeadReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get position(): number {
    return this.#at
  }

  skip(count: number): void {
    if (!Number.isSafeInteger(count) || count > LONGEST_HEAD) throw new GgufFault(DAMAGED)
    this.#at += count
    if (this.#at > this.#bytes.length) throw new NeedsMore()
  }

  u32(): number {
    this.skip(4)
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  count(): number {
    this.skip(8)
    const value = Number(this.#bytes.readBigUInt64LE(this.#at - 8))
    if (!Number.isSafeInteger(value)) throw new GgufFault(DAMAGED)
    return value
  }

  text(): string {
    const length = this.count()
    this.skip(length)
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  /** A number or text; null for values that are not used, such as lists. */
  value(type: number, depth = 0): number | string | null {
    if (type === TEXT) return this.text()
    if (type === ARRAY) {
      this.#skipArray(depth)
      return null
    }
    const width = WIDTHS[type]
    if (width === undefined) throw new GgufFault(DAMAGED)
    this.skip(width)
    return this.#number(type, this.#at - width)
  }

  #skipArray(depth: number): void {
    const type = this.u32()
    const length = this.count()
    const width = WIDTHS[type]
    if (width !== undefined) return this.skip(length * width)
    if (depth >= MOST_DEPTH || (type !== TEXT && type !== ARRAY)) throw new GgufFault(DAMAGED)
    for (let index = 0; index < length; index += 1) {
      if (type === TEXT) this.skip(this.count())
      else this.#skipArray(depth + 1)
    }
  }

  #number(type: number, at: number): number {
    const bytes = this.#bytes
    if (type === 6) return bytes.readFloatLE(at)
    if (type === 12) return bytes.readDoubleLE(at)
    if (type === 10) return Number(bytes.readBigUInt64LE(at))
    if (type === 11) return Number(bytes.readBigInt64LE(at))
    if (type === 5) return bytes.readInt32LE(at)
    if (type === 4) return bytes.readUInt32LE(at)
    return type === 2 || type === 3 ? bytes.readUInt16LE(at) : bytes.readUInt8(at)
  }
}

interface Tensors {
  readonly parameters: number
  /** End of the tensor data in bytes, as far as the tensor types are known. */
  readonly end: number
}

function readTensors(reader: HeadReader, count: number): Tensors {
  let parameters = 0
  let end = 0
  for (let index = 0; index < count; index += 1) {
    reader.text()
    const sides = reader.u32()
    if (sides > MOST_SIDES) throw new GgufFault(DAMAGED)
    let elements = 1
    for (let side = 0; side < sides; side += 1) elements *= reader.count()
    const [size, bytes] = BLOCKS[reader.u32()] ?? [1, 0]
    const offset = reader.count()
    parameters += elements
    end = Math.max(end, offset + (elements / size) * bytes)
  }
  return { parameters, end }
}

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

function toInfo(found: ReadonlyMap<string, unknown>, parameters: number): GgufInfo {
  const architecture = asText(found.get('general.architecture'))
  if (architecture === null) throw new GgufFault(DAMAGED)
  const own = (name: string): number | null => asNumber(found.get(`${architecture}.${name}`))
  return {
    architecture,
    name: asText(found.get('general.name')),
    license: asText(found.get('general.license')),
    quantization: QUANTIZATIONS[asNumber(found.get('general.file_type')) ?? -1] ?? null,
    parameters,
    contextLength: own('context_length'),
    embeddingLength: own('embedding_length'),
    blocks: own('block_count'),
    heads: own('attention.head_count'),
    keyValueHeads: own('attention.head_count_kv'),
    pooling: own('pooling_type'),
    chatTemplate: asText(found.get('tokenizer.chat_template')),
  }
}

function readHead(bytes: Buffer, fileBytes: number): GgufInfo {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 4) !== 'GGUF') throw new GgufFault(NO_MODEL)
  const reader = new HeadReader(bytes)
  reader.skip(4)
  const version = reader.u32()
  if (version < 2 || version > 3)
    throw new GgufFault(
      'This model file is of a version of the GGUF format the engine cannot read.',
    )
  const tensors = reader.count()
  const entries = reader.count()
  if (tensors > MOST_ENTRIES || entries > MOST_ENTRIES) throw new GgufFault(DAMAGED)
  const found = new Map<string, unknown>()
  for (let index = 0; index < entries; index += 1) {
    const key = reader.text()
    found.set(key, reader.value(reader.u32()))
  }
  const { parameters, end } = readTensors(reader, tensors)
  const alignment = asNumber(found.get('general.alignment')) ?? 32
  const start = Math.ceil(reader.position / alignment) * alignment
  if (start + end > fileBytes) throw new GgufFault(CUT_OFF)
  return toInfo(found, parameters)
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, 0)
  return bytes.subarray(0, bytesRead)
}

/**
 * Reads the metadata of a model file; throws `GgufFault` if the file is not a model or is damaged.
 */
export async function readGguf(file: string): Promise<GgufInfo> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    for (let length = FIRST_READ; ; length *= 4) {
      const isAll = length >= size
      try {
        return readHead(await readStart(handle, Math.min(length, size)), size)
      } catch (error) {
        if (!(error instanceof NeedsMore)) throw error
        if (isAll) throw new GgufFault(CUT_OFF)
        if (length > LONGEST_HEAD) throw new GgufFault(DAMAGED)
      }
    }
  } finally {
    await handle.close()
  }
}
