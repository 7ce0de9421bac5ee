import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { badRequest, tooLarge, unsupportedType } from '../../lib/errors.ts'
import { requirePlainBody } from '../../lib/serving/read-body.ts'

interface UploadRules {
  readonly types: readonly string[]
  readonly limit: number
}

/**
 * Yields the body as it arrives; the connection stays open on an error, so that the client receives
 * the response.
 */
async function* readLimited(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const bytes of request.iterator({ destroyOnReturn: false })) {
    size += (bytes as Buffer).length
    if (size > limit) throw tooLarge(`The archive is larger than ${limit} bytes.`)
    yield bytes as Buffer
  }
  if (!request.complete) throw badRequest('The upload was interrupted.')
  if (size === 0) throw badRequest('The archive is empty.')
}

const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

/** Writes the body of an upload to a new file as it arrives; throws 413 beyond the limit. */
export async function spoolUpload(
  request: IncomingMessage,
  path: string,
  { types, limit }: UploadRules,
): Promise<void> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!types.includes(type))
    throw unsupportedType(`Send the archive as one of: ${types.join(', ')}.`)
  requirePlainBody(request)
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw tooLarge(`The archive is larger than ${limit} bytes.`)
  try {
    await pipeline(
      readLimited(request, limit),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
  } catch (error) {
    throw isBrokenOff(error) ? badRequest('The upload was interrupted.', { cause: error }) : error
  }
}
