// Inspects a database file without SQLite, which would repair or create what it opens.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { APPLICATION_ID } from '../migrate.ts'
import { findLogFault } from './find-log-fault.ts'

const HEADER_BYTES = 100
const LARGEST_SCHEMA_VERSION = 9999
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')

/** No reserved bytes per page, then three numbers that are the same in every database. */
const FIXED_FRACTIONS = Buffer.from([0, 64, 32, 32])

/** Facts about a file that looks sound so far. */
export interface FileFacts {
  /** Number of applied schema steps, according to the header. */
  readonly schemaVersion: number
}

/**
 * Reason why a file cannot be a database of the gateway, or its facts; null if the file does not
 * exist.
 */
export type Inspection = { readonly fault: string } | FileFacts | null

/** Returns the size of a file, or null if it does not exist. */
export const sizeOf = (file: string): number | null =>
  statSync(file, { throwIfNoEntry: false })?.size ?? null

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  try {
    return header.subarray(0, readSync(handle, header, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(handle)
  }
}

function findHeaderFault(header: Buffer, size: number, hasLog: boolean): string | null {
  if (header.length < HEADER_BYTES) return 'it is shorter than a database header'
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return 'it does not begin like a database'
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) return 'its page size is impossible'
  if (
    !header.subarray(20, 24).equals(FIXED_FRACTIONS) ||
    header.readUInt32BE(44) !== 4 ||
    header.readUInt32BE(56) !== 1
  ) {
    return 'its header names a format the gateway never uses'
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) return 'it belongs to another program'
  // While a log exists, the header may already refer to pages that only the log contains.
  if (header.readUInt32BE(60) > LARGEST_SCHEMA_VERSION) return 'its schema number is impossible'
  const isCountValid = !hasLog && header.readUInt32BE(24) === header.readUInt32BE(92)
  return isCountValid && header.readUInt32BE(28) * pageSize > size
    ? 'it is shorter than its header says'
    : null
}

/** Returns the files SQLite keeps beside a database in use: its write-ahead log, and its index. */
export const logsOf = (database: string): string[] => [`${database}-wal`, `${database}-shm`]

/** Returns true if the path exists and is not a file. */
export const isNoFile = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === false

/**
 * Checks header, size and write-ahead log; the effort does not grow with the database. Writes
 * nothing.
 */
export function inspectFile(path: string): Inspection {
  const size = sizeOf(path)
  const logSize = sizeOf(`${path}-wal`) ?? 0
  if (size === null)
    return logSize > 0 ? { fault: 'the file is gone, but its write-ahead log is there' } : null
  if (isNoFile(path)) return { fault: 'it is not a file' }
  const wrongLog = logsOf(path).find(isNoFile)
  if (wrongLog !== undefined)
    return { fault: `what stands in the place of its write-ahead log, ${wrongLog}, is not a file` }
  if (size === 0) return { fault: 'the file is empty' }
  const header = readHeader(path)
  const fault =
    findHeaderFault(header, size, logSize > 0) ?? (logSize > 0 ? findLogFault(`${path}-wal`) : null)
  return fault === null ? { schemaVersion: header.readUInt32BE(60) } : { fault }
}
