import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { encodedLength, encodeInSteps } from '../../lib/bytes/base64-steps.ts'

/** A body that is written in chunks, because images in it are large. */
export interface PieceBody {
  readonly type: string
  readonly length: number
  open(): Readable
}

type Piece = string | { readonly base64: Buffer } | Buffer

const lengthOf = (piece: Piece): number =>
  typeof piece === 'string'
    ? Buffer.byteLength(piece)
    : Buffer.isBuffer(piece)
      ? piece.length
      : encodedLength(piece.base64.length)

function* write(pieces: readonly Piece[]): Generator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece)
    else if (Buffer.isBuffer(piece)) yield piece
    else for (const text of encodeInSteps(piece.base64)) yield Buffer.from(text, 'latin1')
  }
}

const toBody = (type: string, pieces: readonly Piece[]): PieceBody => ({
  type,
  length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
  open: () => Readable.from(write(pieces), { objectMode: false }),
})

/** An image in a JSON body, after the prefix of a `data:` URL if one is given. */
export class JsonPicture {
  readonly bytes: Buffer
  readonly head: string

  constructor(bytes: Buffer, head = '') {
    this.bytes = bytes
    this.head = head
  }
}

/** Returns JSON in which images are base64. */
export function jsonBody(value: unknown): PieceBody {
  const mark = randomUUID()
  const pictures: JsonPicture[] = []
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof JsonPicture)) return part
    pictures.push(part)
    return mark
  })
  const [first, ...others] = text.split(mark)
  const pieces = others.flatMap((rest, index): Piece[] => [
    pictures[index]!.head,
    { base64: pictures[index]!.bytes },
    rest,
  ])
  return toBody('application/json', [first!, ...pieces])
}

export interface BodyFile {
  readonly name: string
  readonly filename: string
  readonly type: string
  readonly bytes: Buffer
}

/** Returns a form with files. Names are the gateway's own; values may contain anything. */
export function formBody(
  fields: Readonly<Record<string, string>>,
  files: readonly BodyFile[],
): PieceBody {
  const boundary = `form-${randomUUID()}`
  const pieces: Piece[] = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  for (const { name, filename, type, bytes } of files) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`
    pieces.push(head, bytes, '\r\n')
  }
  return toBody(`multipart/form-data; boundary=${boundary}`, [...pieces, `--${boundary}--\r\n`])
}
