import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import type { Request, Response } from 'express'
import type { StorageEngine } from 'multer'
import { badRequest, ServiceError, tooLarge, unsupportedType } from '../errors.ts'
import { isRecord } from '../is-record.ts'
import { requirePlainBody } from './read-body.ts'
import { ownValue } from '../json/own-value.ts'

/** File of a form, written to disk. */
export interface MultipartFile {
  /** As stated in the form: data, never a path. */
  readonly filename: string
  /** Media type declared by its part: also only data. */
  readonly type: string
  readonly path: string
  readonly size: number
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

export interface Multipart {
  readonly file: MultipartFile
  /** Text fields by name. */
  readonly fields: Readonly<Record<string, string>>
}

export interface MultipartRules {
  /** Name of the part with the file; any other file is rejected. */
  readonly fileField: string
  /** Maximum size of the file in bytes, with the error message for anything larger. */
  readonly limit: number
  readonly tooLarge: string
  /** Called once the name of the file is known, before its bytes arrive; throws to reject it. */
  readonly checkName: (filename: string) => void
  /** Called with the media type declared by the part of the file; throws to reject it. */
  readonly checkType?: (type: string, filename: string) => void
  readonly newTemporaryFile: () => string
}

const LIMITS = {
  fields: 20,
  fieldSize: 256 * 1024,
  fieldNameSize: 200,
  // SDKs send lists, such as `name[]`; they are left out of the fields.
  fieldNestingDepth: 1,
  files: 1,
  parts: 21,
  headerPairs: 100,
}
/** Maximum size of boundaries, headers and fields besides the file. */
const OVERHEAD_BYTES = 1024 * 1024

const SENTENCES: Readonly<Record<string, string>> = {
  LIMIT_FILE_COUNT: 'Send one file in each call.',
  LIMIT_UNEXPECTED_FILE: 'Send the file as the part named "file".',
  LIMIT_FIELD_VALUE: 'A field of the form is too long.',
}

/**
 * Converts an error of the form into an error message; errors of the disk or the gateway are
 * returned unchanged.
 */
function toFault(error: unknown, rules: MultipartRules): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(rules.tooLarge, { cause: error })
  // File system codes are disk errors; errors of the form and of a broken connection have none of
  // these.
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET' && code !== 'EPIPE') return error
  const isBrokenOff =
    /^Request (aborted|closed|error)$|Unexpected end of form/.test(error.message) ||
    code === 'ECONNRESET'
  return badRequest(
    ownValue(SENTENCES, code) ??
      (isBrokenOff ? 'The upload was interrupted.' : 'The form cannot be read.'),
    { cause: error },
  )
}

/**
 * Writes the file of a form as it arrives, computing its hash; the file is flushed to disk when
 * this resolves.
 */
async function store(
  file: Express.Multer.File,
  path: string,
  signal: AbortSignal,
): Promise<MultipartFile> {
  const hash = createHash('sha256')
  let size = 0
  const meter = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      size += bytes.length
      hash.update(bytes)
      done(null, bytes)
    },
  })
  await pipeline(
    file.stream,
    meter,
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  return { filename: file.originalname, type: file.mimetype, path, size, hash: hash.digest('hex') }
}

/** A form being received. */
interface Reception {
  readonly engine: StorageEngine
  /**
   * Rejects at the first error; multer itself would read the rest of the form before it reports the
   * error.
   */
  readonly refused: Promise<never>
  file(): MultipartFile | undefined
  /** Cancels running writes and deletes the files written. */
  discard(): Promise<void>
}

function receive(rules: MultipartRules): Reception {
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const writing: Promise<MultipartFile>[] = []
  const paths: string[] = []
  let stored: MultipartFile | undefined

  async function take(file: Express.Multer.File): Promise<MultipartFile> {
    rules.checkName(file.originalname)
    rules.checkType?.(file.mimetype, file.originalname)
    file.stream.once('limit', () => refuse(tooLarge(rules.tooLarge)))
    const path = rules.newTemporaryFile()
    paths.push(path)
    const work = store(file, path, controller.signal)
    writing.push(work)
    return (stored = await work)
  }

  const takeThenCall = callbackify(async (file: Express.Multer.File) => {
    try {
      const { path, size } = await take(file)
      return { path, size }
    } catch (error) {
      refuse(error)
      throw error
    }
  })

  return {
    refused,
    file: () => stored,
    engine: {
      _handleFile: (_request, file, callback) => takeThenCall(file, callback),
      // Deleted together with the other files by `discard`.
      _removeFile: (_request, _file, callback) => callback(null),
    },
    async discard() {
      controller.abort()
      await Promise.allSettled(writing)
      await Promise.all(paths.map((path) => rm(path, { force: true })))
    },
  }
}

function toFields(body: unknown): Record<string, string> {
  const fields = Object.entries(isRecord(body) ? body : {})
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

function checkHead(request: IncomingMessage, rules: MultipartRules): void {
  const { headers } = request
  if (!/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw unsupportedType(
      `Send the file as the part "${rules.fileField}" of a form (multipart/form-data).`,
    )
  requirePlainBody(request)
  if (Number(headers['content-length'] ?? 0) > rules.limit + OVERHEAD_BYTES)
    throw tooLarge(rules.tooLarge)
}

/**
 * Reads a form with one file into a temporary file, which the caller keeps or deletes. Throws 400
 * for unreadable forms, 413 at the first byte too many, 415 for anything that is not a form. Leaves
 * no temporary file on any failure.
 */
export async function readMultipart(
  request: IncomingMessage,
  response: ServerResponse,
  rules: MultipartRules,
): Promise<Multipart> {
  checkHead(request, rules)
  const { default: multer } = await import('multer')
  const reception = receive(rules)
  // Browsers and scripts write names in UTF-8, which the form parser does not assume.
  const options = {
    storage: reception.engine,
    limits: { ...LIMITS, fileSize: rules.limit },
    defParamCharset: 'utf8',
  }
  const read = multer(options).single(rules.fileField)
  const done = new Promise<void>((resolve, reject) => {
    read(request as Request, response as Response, (error?: unknown) =>
      error === undefined || error === null ? resolve() : reject(error),
    )
  })
  done.catch(() => undefined)
  try {
    await Promise.race([done, reception.refused])
    const file = reception.file()
    if (!file) throw badRequest(`The form has no file in a part "${rules.fileField}".`)
    return { file, fields: toFields((request as Request).body) }
  } catch (error) {
    await reception.discard()
    throw toFault(error, rules)
  }
}
