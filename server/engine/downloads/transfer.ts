import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, diskFull, ServiceError, upstreamFailed } from '../../lib/errors.ts'
import type { GuardedFetch, OpenedReply } from '../../lib/outgoing/guarded-fetch.ts'
import type { ModelSource } from './find-source.ts'

/** State needed to resume a transfer after the process has ended. */
export interface TransferMark {
  etag: string | null
  total: number | null
}

export interface Transfer {
  readonly source: ModelSource
  /** Destination of the bytes. */
  readonly file: string
  readonly mark: TransferMark
  readonly fetch: Pick<GuardedFetch, 'open'>
  readonly signal: AbortSignal
  /** Longest silence before the next attempt. */
  readonly stallMilliseconds: number
  readonly pauseMilliseconds: number
  readonly onMark: () => void
  readonly onProgress: (completed: number) => void
}

/** Maximum number of consecutive attempts without any bytes. */
const MOST_VAIN_TRIES = 6
const LONGEST_PAUSE = 15_000
/** Disk space left free for everything else. */
const SPARE_BYTES = 500_000_000

const PASSING = new Set([408, 425, 429])

/** A failure that another attempt at this URL would not change. */
class Refused extends Error {}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

async function requireRoom(file: string, missing: number): Promise<void> {
  const { bavail, bsize } = await statfs(path.dirname(file))
  if (bavail * bsize < missing + SPARE_BYTES)
    throw diskFull(
      `There is too little room on the disk: ${Math.ceil((missing + SPARE_BYTES) / 1e9)} GB are needed. Free some, then continue.`,
    )
}

/**
 * Returns the offset at which the response continues and the length of the whole file; offset 0 if
 * it starts from the beginning.
 */
function readPlace(
  { status, headers }: OpenedReply,
  from: number,
): { start: number; total: number | null } {
  // Such a server may succeed the next time.
  if (status >= 500 || PASSING.has(status)) throw new Error(`The server answered ${status}.`)
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (status === 200) return { start: 0, total: length }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (status !== 206 || !range || Number(range[1]) !== from)
    throw new Refused(`The server answered with status ${status}. Check the address of the file.`)
  return { start: from, total: range[2] === '*' ? null : Number(range[2]) }
}

/** Records the server's data on the file; throws if it is not the promised file. */
function note({ source, mark, onMark }: Transfer, reply: OpenedReply, total: number | null): void {
  if (source.bytes !== null && total !== null && total !== source.bytes)
    throw new Refused('The server offers a file of another length than the hub promised.')
  const { etag } = reply.headers
  mark.etag = typeof etag === 'string' && !etag.startsWith('W/') ? etag : null
  mark.total = total ?? source.bytes
  onMark()
}

async function append(transfer: Transfer, reply: OpenedReply, start: number): Promise<void> {
  const { file, mark, onProgress, signal } = transfer
  const handle = await open(file, start === 0 ? 'w' : 'r+')
  try {
    let at = start
    for await (const chunk of reply.chunks) {
      if (signal.aborted) return
      if (mark.total !== null && at + chunk.length > mark.total)
        throw new Refused('The server sent more than the file is long.')
      await handle.write(chunk, 0, chunk.length, at)
      at += chunk.length
      onProgress(at)
    }
    if (mark.total === null) mark.total = at
  } finally {
    await handle.close()
  }
}

/** Makes one attempt; resolves with true if the file is complete. */
async function tryOnce(transfer: Transfer, address: string): Promise<boolean> {
  const { file, fetch, mark, signal, stallMilliseconds } = transfer
  const from = await sizeOf(file)
  if (mark.total !== null && from === mark.total) return true
  const reply = await fetch.open(address, { from, etag: mark.etag, stallMilliseconds }, signal)
  try {
    if (reply.status === 416) {
      await rm(file, { force: true })
      return false
    }
    const { start, total } = readPlace(reply, from)
    if (start > 0 && mark.total !== null && total !== null && total !== mark.total) {
      await rm(file, { force: true })
      return false
    }
    note(transfer, reply, total)
    if (total !== null) await requireRoom(file, total - start)
    await append(transfer, reply, start)
    return mark.total !== null && (await sizeOf(file)) === mark.total
  } finally {
    await reply.close()
  }
}

/** Downloads the bytes, with as many attempts as needed as long as they make progress. */
export async function gather(transfer: Transfer): Promise<void> {
  const { source, signal, file, pauseMilliseconds } = transfer
  let vain = 0
  let failure: unknown = null
  for (let attempt = 0; vain < MOST_VAIN_TRIES && !signal.aborted; attempt += 1) {
    const before = await sizeOf(file)
    try {
      if (await tryOnce(transfer, source.addresses[attempt % source.addresses.length]!)) return
      failure = null
    } catch (error) {
      if (signal.aborted) return
      if (isFull(error))
        throw diskFull('The disk became full during the download. Free some space, then continue.')
      const isFinal = error instanceof ServiceError && [400, 403, 507].includes(error.status)
      const isLast = attempt + 1 >= source.addresses.length
      if (isFinal || (error instanceof Refused && isLast)) throw toSentence(error)
      failure = error
    }
    vain = (await sizeOf(file)) > before ? 0 : vain + 1
    const pause = Math.min(pauseMilliseconds * 2 ** vain, LONGEST_PAUSE)
    await sleep(pause, null, { signal }).catch(() => null)
  }
  if (!signal.aborted) throw toSentence(failure)
}

function toSentence(error: unknown): ServiceError {
  if (error instanceof Refused) return upstreamFailed(error.message)
  if (error instanceof ServiceError && error.status !== 502) return error
  return upstreamFailed(
    'The download was interrupted repeatedly. Check the connection of the gateway, then continue it.',
    { cause: error },
  )
}

export async function hasHash(
  file: string,
  { sha256, sha512 }: Pick<ModelSource, 'sha256' | 'sha512'>,
): Promise<boolean> {
  const hash = createHash(sha512 === undefined ? 'sha256' : 'sha512')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex') === (sha512 ?? sha256)
}

/** Compares the file with the hash the hub promised; deletes it if it differs. */
export async function requireHash(file: string, source: ModelSource): Promise<void> {
  const isPromised = source.sha256 !== null || source.sha512 !== undefined
  if (!isPromised || (await hasHash(file, source))) return
  await rm(file, { force: true })
  throw badRequest(
    'The downloaded file is not the one the hub promised: its checksum differs. It was deleted; start the download again.',
  )
}
