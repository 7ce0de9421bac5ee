import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import type { BodyAllowance, IntakeLimits } from './body-allowance.ts'
import { badRequest, tooLarge, unsupportedType, type ServiceError } from '../errors.ts'
import { GatheredBytes } from '../bytes/gathered-bytes.ts'
import { JsonMeter, type JsonBounds } from '../json/json-bounds.ts'
import { runInTurns } from '../turns.ts'
import { withoutMark } from '../bytes/without-mark.ts'

/** Body without a byte order mark, with the approximate number of values it contains. */
export interface JsonBytes {
  readonly bytes: Buffer
  readonly values: number
}

export interface BodyRules {
  /**
   * Maximum size of the decoded body in bytes; defaults to the setting for bodies without an
   * account.
   */
  readonly limit?: number
  /** True to apply the limit for imports. */
  readonly isImport?: boolean
  /** True if it contains a single stored record. */
  readonly isRecord?: boolean
}

const ENCODINGS = 'gzip, deflate, br'

const encodingOf = ({ headers }: IncomingMessage): string =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase()

const unsupportedEncoding = (encoding: string, accepted: string) =>
  unsupportedType(
    `The body has the Content-Encoding "${encoding.slice(0, 40)}". Send it as ${accepted}.`,
    {
      code: 'unsupported_encoding',
      headers: { 'Accept-Encoding': accepted },
    },
  )

/** Throws 415 for bodies that are read as they are but declare an encoding. */
export function requirePlainBody(request: IncomingMessage): void {
  const encoding = encodingOf(request)
  if (encoding !== 'identity') throw unsupportedEncoding(encoding, 'identity')
}

const NO_BYTES = Buffer.alloc(0)

/** Returns the decoder of the body; null if it is not encoded. */
async function openDecoder(request: IncomingMessage): Promise<Transform | null> {
  const encoding = encodingOf(request)
  if (encoding === 'identity') return null
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  throw unsupportedEncoding(encoding, ENCODINGS)
}

/** Returns the maximum size of a body in bytes. */
const mostBytes = ({ limit }: BodyRules, { unknownBytes }: IntakeLimits): number =>
  limit ?? unknownBytes

const tooLong = ({ limit }: BodyRules, { unknownBytes }: IntakeLimits): ServiceError =>
  tooLarge(
    limit === undefined
      ? `The request body is larger than ${unknownBytes / 1024} KiB, the most that a call may send that needs no account. ` +
          'Send less, or ask an administrator to raise JSON_BODY_MAX_SIZE_ANONYMOUS.'
      : `The request body is larger than ${limit} bytes, the most that this call takes. This limit is fixed.`,
  )

function toJsonBounds(
  { isImport, isRecord }: BodyRules,
  { values, importValues, recordValues, depth }: IntakeLimits,
): JsonBounds {
  if (isImport) return { depth, values: importValues, valuesSetting: 'JSON_IMPORT_MAX_VALUES' }
  if (isRecord && recordValues < values)
    return { depth, values: recordValues, valuesSetting: 'JSON_RECORD_MAX_VALUES' }
  return { depth, values, valuesSetting: 'JSON_BODY_MAX_VALUES' }
}

const cutOff = (cause: unknown) =>
  badRequest('The connection ended before the whole body had come.', { code: 'cut_off', cause })

/** Checks every chunk of a body against the limits, and keeps it if it passes. */
class BodyReading {
  readonly #rules: BodyRules
  readonly #allowance: BodyAllowance
  readonly #meter: JsonMeter
  readonly #most: number
  #only: Buffer | null = null
  #gathered: GatheredBytes | null = null

  constructor(rules: BodyRules, allowance: BodyAllowance) {
    this.#rules = rules
    this.#allowance = allowance
    this.#meter = new JsonMeter(toJsonBounds(rules, allowance.limits))
    this.#most = mostBytes(rules, allowance.limits)
  }

  add(piece: Buffer): void {
    const size = (this.#gathered?.size ?? this.#only?.length ?? 0) + piece.length
    if (size > this.#most) throw tooLong(this.#rules, this.#allowance.limits)
    this.#meter.take(piece)
    this.#allowance.hold(size, this.#meter.values)
    // Nearly every body arrives in one chunk, which then needs no copy.
    if (this.#only === null && this.#gathered === null) {
      this.#only = piece
      return
    }
    this.#gathered ??= new GatheredBytes()
    if (this.#only !== null) this.#gathered.add(this.#only)
    this.#only = null
    this.#gathered.add(piece)
  }

  end(): JsonBytes | Promise<JsonBytes> {
    const { values } = this.#meter
    if (this.#gathered === null) return { bytes: withoutMark(this.#only ?? NO_BYTES), values }
    return runInTurns(this.#gathered.take()).then((bytes) => ({
      bytes: withoutMark(bytes),
      values,
    }))
  }
}

function readDecoded(
  request: IncomingMessage,
  decoder: Transform,
  reading: BodyReading,
  allowance: BodyAllowance,
): Promise<JsonBytes> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      request.unpipe(decoder)
      decoder.destroy()
      reject(error)
    }
    decoder.on('data', (piece: Buffer) => {
      try {
        reading.add(piece)
      } catch (error) {
        fail(error)
      }
    })
    decoder.once('end', () => resolve(reading.end()))
    decoder.once('error', (cause) =>
      fail(
        badRequest('The request body cannot be decoded by its Content-Encoding.', {
          code: 'bad_encoding',
          cause,
        }),
      ),
    )
    request.once('error', (cause) => fail(cutOff(cause)))
    allowance.reading(fail)
    request.once('end', () => allowance.hasCome())
    request.pipe(decoder)
  })
}

function readPlain(
  request: IncomingMessage,
  reading: BodyReading,
  allowance: BodyAllowance,
): Promise<JsonBytes> {
  return new Promise((resolve, reject) => {
    // Plain listeners: every call with a body uses this code, and an async iterator costs several
    // times as much.
    const fail = (error: unknown) => {
      request.off('data', onData).pause()
      reject(error)
    }
    const onData = (piece: Buffer) => {
      try {
        reading.add(piece)
      } catch (error) {
        fail(error)
      }
    }
    allowance.reading(fail)
    request.on('data', onData)
    request.once('end', () => {
      allowance.hasCome()
      resolve(reading.end())
    })
    request.once('error', (cause) => reject(cutOff(cause)))
  })
}

async function readEncoded(
  request: IncomingMessage,
  reading: BodyReading,
  allowance: BodyAllowance,
): Promise<JsonBytes> {
  const decoder = await openDecoder(request)
  return decoder === null
    ? readPlain(request, reading, allowance)
    : readDecoded(request, decoder, reading, allowance)
}

/**
 * Reads the JSON of a body as decoded bytes. Throws 413 beyond the size limit, or with more values
 * or levels than allowed; 429 or 503 while too many bodies are in progress. The rest of a rejected
 * body is left unread.
 */
export function readBody(
  request: IncomingMessage,
  rules: BodyRules,
  allowance: BodyAllowance,
): Promise<JsonBytes> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > mostBytes(rules, allowance.limits)) throw tooLong(rules, allowance.limits)
  allowance.check(announced)
  const reading = new BodyReading(rules, allowance)
  if (request.headers['content-encoding'] === undefined)
    return readPlain(request, reading, allowance)
  return readEncoded(request, reading, allowance)
}
