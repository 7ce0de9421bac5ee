import { badRequest, conflict, notFound } from '../lib/errors.ts'
import { isRecord, type Fields } from '../lib/is-record.ts'
import type { Blobs } from './downloads/blobs.ts'
import { isFileName } from './library/find-models.ts'
import type { ModelLibrary } from './library/model-library.ts'
import { GgufFault } from './library/read-gguf.ts'

/** Fields that do not affect the weights, or are read elsewhere. */
const UNDERSTOOD: ReadonlySet<string> = new Set(['model', 'name', 'files', 'stream', 'license'])
const WHOLE_NAME = /^([\w][\w.-]{0,170})(:latest)?$/

function readFile(body: Fields): string {
  const others = Object.keys(body).filter((key) => body[key] != null && !UNDERSTOOD.has(key))
  if (others.length > 0)
    throw badRequest(
      `The runtime that comes along makes a model of one file as it is; it does not take: ${others.join(', ').slice(0, 200)}. Make a workspace model for instructions of its own.`,
      { code: 'create_unsupported' },
    )
  const digests = isRecord(body['files']) ? Object.values(body['files']) : []
  const [digest] = digests
  if (digests.length !== 1 || typeof digest !== 'string')
    throw badRequest('Name one file in "files", by its name and hash.', { code: 'create_one_file' })
  return digest
}

function toFileName(model: string): string {
  const name = WHOLE_NAME.exec(model)?.[1]
  const file = `${name}.gguf`
  if (name === undefined || !isFileName(file))
    throw badRequest(
      'The name of the model may contain letters, digits, dots, dashes and underscores only.',
      { code: 'create_name' },
    )
  return file.toLowerCase()
}

/**
 * Creates a model from an uploaded file and yields status lines as clients of runtimes expect them.
 */
export async function* createModel(
  { library, blobs }: { library: ModelLibrary; blobs: Blobs },
  body: Fields,
): AsyncGenerator<{ status: string }> {
  const named = body['model'] ?? body['name']
  const filename = toFileName(typeof named === 'string' ? named : '')
  const digest = readFile(body)
  const file = await blobs.find(digest)
  if (file === null)
    throw notFound('The file of this hash was not sent. Send it first.', { code: 'blob_not_found' })
  const known = await library.find(filename.replace(/\.gguf$/, ''))
  if (known && known.owner !== null)
    throw conflict(`${known.owner} has a model of this name already. Choose another name.`, {
      code: 'create_name_taken',
    })
  yield { status: 'parsing GGUF' }
  try {
    await library.take(file, filename)
  } catch (error) {
    throw error instanceof GgufFault ? badRequest(error.message) : error
  }
  yield { status: 'success' }
}
