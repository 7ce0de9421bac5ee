import {
  Unzip,
  UnzipInflate,
  UnzipPassThrough,
  type UnzipDecoder,
  type UnzipDecoderConstructor,
} from 'fflate'

/** An archive was rejected; the message is a sentence for users. */
export class ArchiveError extends Error {}

export interface ZipLimits {
  readonly entries: number
  /** Maximum unpacked size in bytes of all wanted entries. */
  readonly unpacked: number
  /** Maximum ratio of unpacked to read bytes, beyond the first `unpackedFreely` bytes. */
  readonly ratio: number
  readonly unpackedFreely: number
}

interface ZipOptions {
  readonly limits: ZipLimits
  readonly isWanted: (name: string) => boolean
  /** Called when an entry begins; returns a function that receives its bytes. */
  readonly onEntry: (name: string) => (bytes: Uint8Array, isLast: boolean) => void
}

const KNOWN_METHODS = new Set([UnzipInflate.compression, UnzipPassThrough.compression])

type Make = new () => UnzipDecoder

/**
 * Creates the decoder of an entry. An entry that is not started would be kept in memory, so
 * unwanted ones are started too, and dropped.
 */
function createDecoder(
  compression: number,
  Inner: Make,
  isWanted: ZipOptions['isWanted'],
): UnzipDecoderConstructor {
  const dropping = (): UnzipDecoder => {
    const decoder: UnzipDecoder = {
      ondata: () => undefined,
      push: (_bytes, isLast) => decoder.ondata(null, new Uint8Array(0), isLast),
    }
    return decoder
  }
  const create = function (name: string) {
    return isWanted(name) ? new Inner() : dropping()
  } as unknown as UnzipDecoderConstructor
  create.compression = compression
  return create
}

/**
 * Unpacks the wanted entries of a zip file while it is read. Names are only compared, never used as
 * paths, and the sizes stated in the file are not trusted.
 */
export class ZipReader {
  readonly #limits
  #read = 0
  #unpacked = 0
  readonly #unzip

  constructor({ limits, isWanted, onEntry }: ZipOptions) {
    this.#limits = limits
    let entries = 0
    this.#unzip = new Unzip((file) => {
      entries += 1
      if (entries > limits.entries)
        throw new ArchiveError(`The archive has more than ${limits.entries} files.`)
      const wanted = isWanted(file.name)
      if (!wanted && !KNOWN_METHODS.has(file.compression)) return
      const take = wanted ? onEntry(file.name) : () => undefined
      file.ondata = (error, bytes, isLast) => {
        if (error) throw error
        this.#count(bytes.length)
        take(bytes, isLast)
      }
      file.start()
    })
    this.#unzip.register(createDecoder(UnzipInflate.compression, UnzipInflate, isWanted))
    this.#unzip.register(createDecoder(UnzipPassThrough.compression, UnzipPassThrough, isWanted))
  }

  push(bytes: Uint8Array, isLast: boolean): void {
    this.#read += bytes.length
    this.#unzip.push(bytes, isLast)
  }

  #count(bytes: number): void {
    this.#unpacked += bytes
    const isBomb =
      this.#unpacked > this.#limits.unpackedFreely &&
      this.#unpacked > this.#read * this.#limits.ratio
    if (this.#unpacked > this.#limits.unpacked || isBomb)
      throw new ArchiveError('The archive unpacks to far more than it should. It was not read.')
  }
}
