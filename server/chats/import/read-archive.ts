import { closeSync, mkdirSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { ArchiveContent } from './archive-chat.ts'
import type { ImportSource } from '#contract/imports.ts'
import { ChatCollector } from './collect-chats.ts'
import { keptFilesOf } from './kept-files.ts'
import { isAnythingLlm, readAnythingLlm } from './programs/anything-llm-store.ts'
import { withCopy } from './programs/copied-store.ts'
import { PROGRAMS } from './programs/index.ts'
import { isOpenWebUi, readOpenWebUi } from './programs/open-webui-store.ts'
import { ArchiveError, ZipReader, type ZipLimits } from '../../lib/bytes/read-zip.ts'
import { JsonSplitter, JsonSplitError } from './split-json.ts'

const MEBIBYTE = 1024 * 1024
/** Longest chat, and longest other part, of an archive. */
const LONGEST_VALUE = 64 * MEBIBYTE
/** Small chunks of a zip file decompress to chunks that are still small. */
const ZIP_PIECE = 16 * 1024
const JSON_PIECE = MEBIBYTE
const LIMITS: ZipLimits = {
  entries: 200_000,
  unpacked: 8 * 1024 * MEBIBYTE,
  ratio: 200,
  unpackedFreely: 64 * MEBIBYTE,
}
const LISTS = new Set(['chats', 'conversations'])
/** Files of the known exports that contain no chats. */
const OTHER_FILES =
  /(^|\/)(user|users|user_settings|message_feedback|model_comparisons|shared_conversations|shopping|memories|projects|group_chats|sora|export_manifest|basis_pursuit)[^/]*\.json$/i

const isWanted = (name: string): boolean =>
  /\.json$/i.test(name) && !OTHER_FILES.test(name) && !/(^|\/)(__MACOSX\/|\._)/.test(name)

const createSplitter = (collector: ChatCollector): JsonSplitter =>
  new JsonSplitter({
    lists: LISTS,
    longest: LONGEST_VALUE,
    onValue: (value) => collector.take(value),
  })

function endDocument(splitter: JsonSplitter, collector: ChatCollector): void {
  splitter.end()
  collector.endDocument()
}

function* readPieces(file: number, size: number): Generator<Uint8Array> {
  // Not a `Buffer`, whose `slice` is a view of the same memory.
  const buffer = new Uint8Array(size)
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
    yield buffer.subarray(0, read)
}

function readZip(file: number, collector: ChatCollector): void {
  const zip = new ZipReader({
    limits: LIMITS,
    isWanted,
    onEntry: () => {
      const splitter = createSplitter(collector)
      return (bytes, isLast) => {
        splitter.push(bytes)
        if (isLast) endDocument(splitter, collector)
      }
    },
  })
  // The reader keeps a chunk until the next one, so each gets separate memory.
  for (const piece of readPieces(file, ZIP_PIECE)) zip.push(piece.slice(), false)
  zip.push(new Uint8Array(0), true)
}

function readJson(file: number, collector: ChatCollector): void {
  const splitter = createSplitter(collector)
  for (const piece of readPieces(file, JSON_PIECE)) splitter.push(piece)
  endDocument(splitter, collector)
}

const DATABASE = 'SQLite format 3\u0000'

function readHead(path: string): string {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(DATABASE.length)
  readSync(file, head)
  closeSync(file)
  return head.toString('latin1')
}

/** Opens a collector that writes chats to a file, one per line, and records their offsets. */
function openCollector(target: string): { collector: ChatCollector; output: number } {
  const output = openSync(target, 'wx', 0o600)
  let written = 0
  const collector = new ChatCollector({
    write(line) {
      const place = { offset: written, length: Buffer.byteLength(line) }
      writeSync(output, `${line}\n`)
      written += place.length + 1
      return place
    },
    keep(name, bytes) {
      const folder = keptFilesOf(target)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const kept = path.join(folder, name)
      writeFileSync(kept, bytes, { flag: 'wx', mode: 0o600 })
      return kept
    },
  })
  return { collector, output }
}

function collect(
  source: ImportSource,
  target: string,
  read: (collector: ChatCollector) => void,
): ArchiveContent {
  const { collector, output } = openCollector(target)
  try {
    collector.begin(source)
    read(collector)
  } finally {
    closeSync(output)
  }
  return collector.content()!
}

/** Reads the store of a program in place. */
export function readStore(source: ImportSource, path: string, target: string): ArchiveContent {
  const program = PROGRAMS.find((known) => known.source === source)!
  return collect(source, target, (collector) => program.read(path, collector, `${target}-copy`))
}

/** Reads an uploaded database of any known program. */
function readDatabase(path: string, target: string): ArchiveContent {
  let content: ArchiveContent | null = null
  withCopy(path, `${target}-copy`, (store) => {
    if (isOpenWebUi(store))
      content = collect('open-webui', target, (collector) => readOpenWebUi(store, collector))
    else if (isAnythingLlm(store))
      content = collect('anythingllm', target, (collector) => readAnythingLlm(store, collector))
  })
  if (content) return content
  throw new ArchiveError('This is a database of a program that is not known here.')
}

function toArchiveError(error: unknown): unknown {
  const isStorageFault = error instanceof Error && 'syscall' in error
  if (error instanceof ArchiveError || isStorageFault) return error
  if (error instanceof JsonSplitError || error instanceof SyntaxError) {
    return new ArchiveError(
      'The file is not complete JSON. Export it again, or choose another file.',
    )
  }
  return new ArchiveError(
    'The archive is damaged. Download it again, or unpack it and choose the JSON file in it.',
  )
}

/**
 * Reads an archive of any size and writes its chats, one per line, to another file. Takes seconds;
 * runs in a thread.
 */
export function readArchive(path: string, target: string): ArchiveContent {
  const head = readHead(path)
  if (head.startsWith(DATABASE)) return readDatabase(path, target)
  const { collector, output } = openCollector(target)
  const isArchive = head.startsWith('PK\u0003\u0004')
  const input = openSync(path, 'r')
  try {
    if (isArchive) readZip(input, collector)
    else readJson(input, collector)
  } catch (error) {
    throw toArchiveError(error)
  } finally {
    closeSync(input)
    closeSync(output)
  }
  const content = collector.content()
  if (!content)
    throw new ArchiveError(
      'No chats were found. Choose the export archive as it was downloaded, or its conversations.json.',
    )
  return content
}
