import { open, type FileHandle } from 'node:fs/promises'

/** Properties of a model read from its file. */
export interface SpeechModelInfo {
  /** True if it understands languages other than English. */
  readonly isMultilingual: boolean
}

/** Thrown if the file is not a speech model, or is damaged; the message is a sentence. */
export class SpeechModelFault extends Error {
  override readonly name = 'SpeechModelFault'
}

const MAGIC = 0x67_67_6d_6c
const HEADER_BYTES = 48
const MULTILINGUAL_WORDS = 51_865
const MOST_WORDS = 100_000
const MOST_WORD_BYTES = 1024
const MOST_NUMBERS = 1e9
const MOST_NAME_BYTES = 256
const MOST_TENSORS = 10_000
const MOST_DIMENSIONS = 4

/** Bytes per block of numbers, by number type. */
const KINDS: Readonly<Record<number, readonly [numbers: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
}

const none = (): SpeechModelFault =>
  new SpeechModelFault(
    'This file is no speech model. It has to be one of Whisper in the GGML format, as whisper.cpp uses it.',
  )
const damaged = (): SpeechModelFault =>
  new SpeechModelFault('The file of this speech model is damaged or incomplete. Get it again.')

/** Reads numbers in sequence, never past the end of the file. */
class Cursor {
  readonly #handle: FileHandle
  readonly #size: number
  at = 0

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.#size = size
  }

  get isAtEnd(): boolean {
    return this.at === this.#size
  }

  async bytes(length: number): Promise<Buffer> {
    this.#require(length)
    const buffer = Buffer.alloc(length)
    await this.#handle.read(buffer, 0, length, this.at)
    this.at += length
    return buffer
  }

  async numbers(count: number): Promise<number[]> {
    const bytes = await this.bytes(count * 4)
    return Array.from({ length: count }, (_, index) => bytes.readInt32LE(index * 4))
  }

  skip(length: number): void {
    this.#require(length)
    this.at += length
  }

  #require(length: number): void {
    if (!(length >= 0 && this.at + length <= this.#size)) throw damaged()
  }
}

async function skipWords(cursor: Cursor): Promise<void> {
  const [filters = 0, width = 0] = await cursor.numbers(2)
  if (filters < 1 || filters > 512 || width < 1 || width > 4096) throw damaged()
  cursor.skip(filters * width * 4)
  const [words = 0] = await cursor.numbers(1)
  if (words < 1 || words > MOST_WORDS) throw damaged()
  for (let word = 0; word < words; word += 1) {
    const [length = 0] = await cursor.numbers(1)
    if (length < 0 || length > MOST_WORD_BYTES) throw damaged()
    cursor.skip(length)
  }
}

async function skipTensor(cursor: Cursor): Promise<void> {
  const [dimensions = 0, nameLength = 0, kind = -1] = await cursor.numbers(3)
  const size = KINDS[kind]
  if (!size || dimensions < 1 || dimensions > MOST_DIMENSIONS) throw damaged()
  if (nameLength < 1 || nameLength > MOST_NAME_BYTES) throw damaged()
  const shape = await cursor.numbers(dimensions)
  const count = shape.reduce((product, each) => product * each, 1)
  if (shape.some((each) => each < 1) || count > MOST_NUMBERS) throw damaged()
  const name = (await cursor.bytes(nameLength)).toString('latin1')
  if (!/^(encoder|decoder)\.[\w.]+$/.test(name)) throw damaged()
  cursor.skip((count / size[0]) * size[1])
}

/**
 * Reads a file to its end, as the engine would: the engine trusts the lengths declared in a file
 * and crashes if they are wrong.
 */
export async function readSpeechModel(file: string): Promise<SpeechModelInfo> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    if (size < HEADER_BYTES) throw none()
    const cursor = new Cursor(handle, size)
    const [magic, words = 0, ...shape] = await cursor.numbers(HEADER_BYTES / 4)
    if (magic !== MAGIC) throw none()
    if (
      words < 1 ||
      words > MOST_WORDS ||
      shape.slice(0, -1).some((each) => each < 1 || each > 8192)
    )
      throw damaged()
    await skipWords(cursor)
    let tensors = 0
    while (!cursor.isAtEnd && tensors < MOST_TENSORS) {
      await skipTensor(cursor)
      tensors += 1
    }
    if (tensors < 2 || !cursor.isAtEnd) throw damaged()
    return { isMultilingual: words >= MULTILINGUAL_WORDS }
  } finally {
    await handle.close()
  }
}
