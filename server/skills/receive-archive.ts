import type { IncomingMessage } from 'node:http'
import { badRequest, tooLarge, unsupportedType } from '../lib/errors.ts'
import { requirePlainBody } from '../lib/serving/read-body.ts'

const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

/** Reads the body of an upload into memory; throws 413 beyond the limit, 415 for another type. */
export async function receiveArchive(
  request: IncomingMessage,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
): Promise<Buffer> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!types.includes(type)) throw unsupportedType(`Send the archive as ${types.join(' or ')}.`)
  requirePlainBody(request)
  const larger = tooLarge(`The archive is larger than ${limit / 1024 / 1024} MiB.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw larger
  const pieces: Buffer[] = []
  let size = 0
  try {
    // The connection stays open on an error, so that the response can be sent.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += (piece as Buffer).length
      if (size > limit) throw larger
      pieces.push(piece as Buffer)
    }
  } catch (error) {
    throw isBrokenOff(error) ? badRequest('The upload was interrupted.', { cause: error }) : error
  }
  if (!request.complete) throw badRequest('The upload was interrupted.')
  if (size === 0) throw badRequest('The archive is empty.')
  return Buffer.concat(pieces)
}
