import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { readMultipart } from '../../lib/serving/read-multipart.ts'
import { parseFilename } from './install-file.ts'

/** The file of a form, ready to be installed like a plain body. */
export interface FormFile {
  readonly filename: string
  readonly chunks: AsyncIterable<Buffer>
  readonly length: number
  remove(): Promise<void>
}

/**
 * Reads the part `file` of a form; the name in the URL takes precedence over the one in the form.
 */
export async function readForm(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { folder, limit, name }: { folder: string; limit: number; name: string | undefined },
): Promise<FormFile> {
  await mkdir(folder, { recursive: true })
  const { file } = await readMultipart(request, response, {
    fileField: 'file',
    limit,
    tooLarge: `The file is larger than ${limit} bytes.`,
    checkName: (filename) => void parseFilename(name ?? filename),
    newTemporaryFile: () => path.join(folder, `${randomUUID()}.form`),
  })
  return {
    filename: parseFilename(name ?? file.filename),
    chunks: createReadStream(file.path) as AsyncIterable<Buffer>,
    length: file.size,
    remove: () => rm(file.path, { force: true }),
  }
}
