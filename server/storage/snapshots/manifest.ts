// Content of a snapshot: a line that can be read quickly, then the compressed lists, whose hash is
// in that line.
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { syncFolder } from '../../lib/write-file-atomically.ts'
import { toFileTime } from '../backups/backups.ts'
import { compress, decompress } from './compress.ts'
import { DamagedSnapshotError, snapshotPlaces, type Snapshot } from './snapshot.ts'
import { namesIn } from './stored-pieces.ts'

const FORMAT = 1
const HEAD_BYTES = 512
const NAME = /^((\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z][a-z0-9-]{0,40}))\.snapshot$/
const DAMAGED = 'This snapshot is damaged: the list of what it consists of cannot be read.'

/** Content of a snapshot: the blocks of the database in order, and the uploads by id. */
export interface SnapshotContent {
  readonly blocks: readonly string[]
  readonly uploads: readonly string[]
}

interface Head {
  readonly format: number
  readonly bytes: number
  readonly database?: number
  readonly added: number
  readonly hash: string
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const fileOf = (folder: string, id: string): string =>
  path.join(snapshotPlaces(folder).list, `${id}.snapshot`)

function parseHead(line: string): Head | null {
  try {
    const head = JSON.parse(line) as Partial<Head>
    return head.format === FORMAT &&
      Number.isSafeInteger(head.bytes) &&
      Number.isSafeInteger(head.added) &&
      typeof head.hash === 'string'
      ? (head as Head)
      : null
  } catch {
    return null
  }
}

function readHead(file: string): Head | null {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const handle = openSync(file, 'r')
  try {
    const text = bytes.toString('utf8', 0, readSync(handle, bytes, 0, HEAD_BYTES, 0))
    return parseHead(text.split('\n', 1)[0]!)
  } finally {
    closeSync(handle)
  }
}

/** Returns all snapshots, newest first; those with a damaged description have a fault. */
export function listSnapshots(folder: string): Snapshot[] {
  const snapshots = namesIn(snapshotPlaces(folder).list).flatMap((name): Snapshot[] => {
    const [, id, day, hour, minute, second, milliseconds, label] = NAME.exec(name) ?? []
    if (id === undefined || label === undefined) return []
    const takenAt = new Date(`${day}T${hour}:${minute}:${second}.${milliseconds}Z`)
    if (Number.isNaN(takenAt.getTime())) return []
    const head = readHead(fileOf(folder, id))
    return [
      {
        id,
        takenAt,
        label,
        bytes: head?.bytes ?? 0,
        databaseBytes: head?.database ?? null,
        addedBytes: head?.added ?? 0,
        fault: head === null ? DAMAGED : null,
      },
    ]
  })
  return snapshots.toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

/** Throws a `DamagedSnapshotError` if the lists are not as written. */
export function readContent(folder: string, id: string): SnapshotContent {
  const bytes = readFileSync(fileOf(folder, id))
  const end = bytes.indexOf('\n')
  const head = parseHead(bytes.toString('utf8', 0, Math.max(0, end)))
  const body = bytes.subarray(end + 1)
  if (head === null || hashOf(body) !== head.hash) throw new DamagedSnapshotError(DAMAGED)
  return JSON.parse(decompress(body).toString('utf8')) as SnapshotContent
}

/** Gives a snapshot its name, which makes it valid; all its pieces are on disk by then. */
export function writeManifest(
  folder: string,
  { takenAt, label, ...counts }: Omit<Snapshot, 'id' | 'fault'>,
  content: SnapshotContent,
): string {
  const { list, work } = snapshotPlaces(folder)
  mkdirSync(list, { recursive: true, mode: 0o700 })
  mkdirSync(work, { recursive: true, mode: 0o700 })
  const id = `${toFileTime(takenAt)}-${label}`
  const body = compress(JSON.stringify(content))
  const head: Head = {
    format: FORMAT,
    bytes: counts.bytes,
    ...(counts.databaseBytes !== null && { database: counts.databaseBytes }),
    added: counts.addedBytes,
    hash: hashOf(body),
  }
  const growing = path.join(work, `${id}.snapshot`)
  const file = openSync(growing, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(head)}\n`)
    writeSync(file, body)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(growing, fileOf(folder, id))
  syncFolder(list)
  return id
}

export function removeManifest(folder: string, id: string): void {
  rmSync(fileOf(folder, id), { force: true })
}
