import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badRequest, tooLarge, unsupportedType } from '../../lib/errors.ts'

interface UploadRules {
  readonly types: readonly string[]
  readonly limit: number
}

/** Writes the body of an upload to a new file as it arrives; 413 beyond the limit. */
export async function spoolUpload(request: IncomingMessage, path: string, { types, limit }: UploadRules): Promise<void> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!types.includes(type)) throw unsupportedType(`Send the archive as one of: ${types.join(', ')}.`)
  const tooLong = () => tooLarge(`The archive is larger than ${limit} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLong()
  let size = 0
  const count = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      size += bytes.length
      if (size > limit) done(tooLong())
      else done(null, bytes)
    },
  })
  await pipeline(request, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  if (size === 0) throw badRequest('The archive is empty.')
}
