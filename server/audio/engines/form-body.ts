import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { StreamBody } from './audio-client.ts'

/** A stored recording. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly filename: string
  readonly type: string
}

const quote = (text: string): string =>
  text.replace(/["\r\n]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the bytes of a file as a complete body. */
export const fileBody = ({ path, size }: StoredFile): StreamBody => ({
  length: size,
  open: () => createReadStream(path),
})

/** Returns a form with text fields and one file, which is read while it is sent. */
export function formBody(
  fields: Readonly<Record<string, string>>,
  file: StoredFile,
): StreamBody & { readonly type: string } {
  const boundary = `form-${randomUUID()}`
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quote(file.filename)}"\r\nContent-Type: ${file.type}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* write(): AsyncGenerator<Buffer> {
    yield head
    for await (const piece of createReadStream(file.path)) yield piece as Buffer
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: head.length + file.size + tail.length,
    open: () => Readable.from(write(), { objectMode: false }),
  }
}
