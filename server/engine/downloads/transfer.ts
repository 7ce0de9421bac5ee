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
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
  /** Longest silence before the next attempt. */
  readonly stallMilliseconds: number
  readonly pauseMilliseconds: number
  /** Disk space left free for everything else. */
  readonly spareBytes: number
  readonly onMark: () => void
  readonly onProgress: (completed: number) => void
}

/** Maximum number of consecutive attempts that bring the file no further. */
const MOST_VAIN_TRIES = 6
/** Attempts after which a file may start anew at a mirror that cannot continue it. */
const TRIES_TO_CONTINUE = 3
const LONGEST_PAUSE = 15_000
const PASSING = new Set([408, 425, 429])

/** A failure that another attempt at this URL would not change. */
class Refused extends Error {}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

async function requireRoom(file: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(path.dirname(file))
  if (bavail * bsize < needed)
    throw diskFull(
      `There is too little room on the disk: ${Math.ceil(needed / 1e9)} GB are needed. Free some, then continue.`,
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
  const encoding = headers['content-encoding'] ?? 'identity'
  if (status < 300 && encoding !== 'identity' && encoding !== '')
    throw new Refused('The server sends the file compressed, so it cannot be continued or checked.')
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (status === 200) return { start: 0, total: length }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (status !== 206 || !range || Number(range[1]) !== from)
    throw new Refused(`The server answered with status ${status}. Check the address of the file.`)
  return { start: from, total: range[2] === '*' ? null : Number(range[2]) }
}

/** Records what the server says of the file, for the attempt that continues it. */
function note({ source, mark, onMark }: Transfer, reply: OpenedReply, total: number | null): void {
  const { etag } = reply.headers
  mark.etag = typeof etag === 'string' && !etag.startsWith('W/') ? etag : null
  mark.total = total ?? source.bytes
  onMark()
}

async function append(transfer: Transfer, reply: OpenedReply, start: number): Promise<void> {
  const { file, mark, onProgress, signal } = transfer
  const handle = await open(file, start === 0 ? 'w' : 'a')
  try {
    let at = start
    for await (const chunk of reply.chunks) {
      if (signal.aborted) return
      if (mark.total !== null && at + chunk.length > mark.total)
        throw new Refused('The server sent more than the file is long.')
      // A nearly full disk takes a part of it; this writes the rest, or fails.
      await handle.appendFile(chunk)
      at += chunk.length
      onProgress(at)
    }
    if (mark.total === null) mark.total = at
  } finally {
    await handle.close()
  }
}

interface Attempt {
  readonly address: string
  /** True if other addresses may continue the file, so that it need not start anew here. */
  readonly isContinuing: boolean
}

/** Makes one attempt; resolves with true if the file is complete. */
async function tryOnce(transfer: Transfer, { address, isContinuing }: Attempt): Promise<boolean> {
  const { source, file, fetch, mark, signal, stallMilliseconds, spareBytes } = transfer
  const from = await sizeOf(file)
  if (mark.total !== null && from === mark.total) return true
  // Mirrors name the same file differently; the checksum tells whether their parts belong together.
  const etag = canMix(source) ? null : mark.etag
  const reply = await fetch.open(address, { from, etag, stallMilliseconds }, signal)
  try {
    if (reply.status === 416 && !canMix(source)) {
      await rm(file, { force: true })
      return false
    }
    const { start, total } = readPlace(reply, from)
    if (start < from && isContinuing) throw new Error('The server cannot continue the file.')
    if (source.bytes !== null && total !== null && total !== source.bytes)
      throw new Refused('The server offers a file of another length than the hub promised.')
    if (start > 0 && mark.total !== null && total !== null && total !== mark.total) {
      await rm(file, { force: true })
      return false
    }
    note(transfer, reply, total)
    if (total !== null) await requireRoom(file, total - start + spareBytes)
    await append(transfer, reply, start)
    return mark.total !== null && (await sizeOf(file)) === mark.total
  } finally {
    await reply.close()
  }
}

/** Reports whether parts of the file may come from several servers. */
const canMix = (source: ModelSource): boolean => source.addresses.length > 1 && isPromised(source)

/**
 * Downloads the bytes, with as many attempts as needed as long as they make progress; resolves with
 * the addresses that sent some. An address that refuses is not tried again.
 */
async function gather(transfer: Transfer): Promise<ReadonlySet<string>> {
  const { source, signal, file, pauseMilliseconds } = transfer
  const addresses = [...source.addresses]
  const senders = new Set<string>()
  let farthest = await sizeOf(file)
  let vain = 0
  let failure: unknown = null
  while (vain < MOST_VAIN_TRIES && !signal.aborted) {
    const address = addresses.shift()!
    addresses.push(address)
    const isContinuing = addresses.length > 1 && vain < TRIES_TO_CONTINUE
    const before = await sizeOf(file)
    let isWhole = false
    try {
      isWhole = await tryOnce(transfer, { address, isContinuing })
      failure = null
    } catch (error) {
      if (signal.aborted) return senders
      if (isFull(error))
        throw diskFull('The disk became full during the download. Free some space, then continue.')
      if (isFinal(error)) throw error
      if (isRefusal(error)) {
        if (addresses.length === 1) throw toSentence(error)
        addresses.pop()
      }
      failure = error
    }
    const size = await sizeOf(file)
    if (size !== before) senders.add(address)
    if (isWhole) return senders
    vain = size > farthest ? 0 : vain + 1
    farthest = Math.max(farthest, size)
    const pause = Math.min(pauseMilliseconds * 2 ** vain, LONGEST_PAUSE)
    await sleep(pause, null, { signal }).catch(() => null)
  }
  if (!signal.aborted) throw toSentence(failure)
  return senders
}

/** Reports whether no attempt anywhere would help: in offline mode, or on a full disk. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && [403, 507].includes(error.status)

/** Reports whether another attempt at the same URL would fail for the same reason. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof ServiceError && error.status === 400)

/** Deletes what is there of the file, so that the next attempt takes all of it. */
async function startAnew({ source, file, mark, onProgress }: Transfer): Promise<void> {
  await rm(file, { force: true })
  Object.assign(mark, { etag: null, total: source.bytes })
  onProgress(0)
}

/** Downloads the file from one server alone; resolves with false if that does not succeed. */
async function gatherAlone(transfer: Transfer, address: string): Promise<boolean> {
  const source = { ...transfer.source, addresses: [address] }
  await startAnew(transfer)
  try {
    await gather({ ...transfer, source })
  } catch (error) {
    if (isFinal(error)) throw error
    return false
  }
  return transfer.signal.aborted || isAsPromised(transfer.file, source)
}

/**
 * Downloads the file and compares it with the promised checksum. If it differs, one of the servers
 * sent false bytes, so the file is taken from each of them alone, except from one that sent all of
 * it. Deletes the file if all are wrong. Returns early when aborted.
 */
export async function fetchFile(transfer: Transfer): Promise<void> {
  const { source, file, signal } = transfer
  const isResumed = (await sizeOf(file)) > 0
  const senders = await gather(transfer)
  if (signal.aborted || (await isAsPromised(file, source))) return
  const isSentByOne = !isResumed && senders.size === 1
  const others = source.addresses.filter((address) => !(isSentByOne && senders.has(address)))
  for (const address of others) if (await gatherAlone(transfer, address)) return
  await rm(file, { force: true })
  throw badRequest(
    'The downloaded file is not the one the hub promised: its checksum differs. It was deleted; start the download again.',
  )
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

const isPromised = ({ sha256, sha512 }: Pick<ModelSource, 'sha256' | 'sha512'>): boolean =>
  sha256 !== null || sha512 !== undefined

/** Compares the file with the checksum the hub promised, if it promised one. */
const isAsPromised = async (file: string, source: ModelSource): Promise<boolean> =>
  !isPromised(source) || hasHash(file, source)
