import { open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { Refusal } from '../refusal.ts'
import { DAMAGED_ARCHIVE, readDirectory, type ArchiveEntry } from './read-directory.ts'

/** An open zip archive, as most office formats are. Nothing is ever unpacked to disk. */
export interface Archive extends AsyncDisposable {
  readonly names: ReadonlySet<string>
  has(name: string): boolean
  /** Yields the text of an entry in chunks; nothing if there is no such entry. */
  stream(name: string): AsyncIterable<string>
  /** Returns the whole text of a small entry, or null if there is none. */
  read(name: string): Promise<string | null>
}

type Decoder = InstanceType<typeof TextDecoder>

const MEBIBYTE = 1024 * 1024
const LARGEST_ENTRY = 300 * MEBIBYTE
const LARGEST_SMALL_ENTRY = 16 * MEBIBYTE
const LARGEST_TOTAL = 1024 * MEBIBYTE
/** Maximum decompression ratio, applied above the usual size of an image or a table. */
const LARGEST_RATIO = 200
const RATIO_MATTERS_FROM = 20 * MEBIBYTE
const LOCAL_LENGTH = 30

const BOMB = 'The file is not read: its contents would grow to an unreasonable size when unpacked.'

const isSwollen = (size: number, compressedSize: number): boolean =>
  size > RATIO_MATTERS_FROM && size > compressedSize * LARGEST_RATIO

function refuseBombs(entries: readonly ArchiveEntry[]): void {
  const total = entries.reduce((sum, entry) => sum + entry.size, 0)
  const compressed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
  if (total > LARGEST_TOTAL || isSwollen(total, compressed)) throw new Refusal(BOMB)
}

/** XML is UTF-8 unless it starts with a UTF-16 byte order mark. */
function decoderFor(first: Buffer): Decoder {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}

/**
 * Opens an archive; its sizes are summed before anything is unpacked. Throws `Refusal` for bombs
 * and damage.
 */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path)
  const close = async (): Promise<void> => await file.close()
  const entries = await readDirectory(file).catch(async (fault: unknown) => {
    await close()
    throw fault
  })
  refuseBombs(entries)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  let unpacked = 0

  async function* bytesOf(entry: ArchiveEntry, limit: number): AsyncGenerator<Buffer> {
    if (entry.isEncrypted)
      throw new Refusal(
        'The document is protected by a password. Remove the protection and add it again.',
      )
    if (entry.size > limit || isSwollen(entry.size, entry.compressedSize)) throw new Refusal(BOMB)
    const header = Buffer.alloc(LOCAL_LENGTH)
    await file.read(header, 0, LOCAL_LENGTH, entry.offset)
    const start = entry.offset + LOCAL_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28)
    if (entry.compressedSize === 0) return
    const raw = file.createReadStream({
      start,
      end: start + entry.compressedSize - 1,
      autoClose: false,
    })
    const isDeflated = entry.method === 8
    if (!isDeflated && entry.method !== 0) throw new Refusal(DAMAGED_ARCHIVE)
    const source = isDeflated ? raw.pipe(createInflateRaw()) : raw
    let read = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      read += chunk.length
      unpacked += chunk.length
      // The limits were checked with the size in the directory, so an entry must not exceed it.
      if (read > entry.size || unpacked > LARGEST_TOTAL) throw new Refusal(BOMB)
      yield chunk
    }
  }

  async function* stream(name: string, limit = LARGEST_ENTRY): AsyncGenerator<string> {
    const entry = byName.get(name)
    if (!entry) return
    let decoder: Decoder | null = null
    for await (const chunk of bytesOf(entry, limit)) {
      decoder ??= decoderFor(chunk)
      yield decoder.decode(chunk, { stream: true })
    }
    if (decoder) yield decoder.decode()
  }

  return {
    names: new Set(byName.keys()),
    has: (name) => byName.has(name),
    stream,
    async read(name) {
      if (!byName.has(name)) return null
      let text = ''
      for await (const piece of stream(name, LARGEST_SMALL_ENTRY)) text += piece
      return text
    },
    [Symbol.asyncDispose]: close,
  }
}
