import type { ChatCompletionRequest } from '#contract/completions.ts'
import { badRequest, ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Library } from './library.ts'

type Messages = ChatCompletionRequest['messages']
type Part = Readonly<Record<string, unknown>>

/** Document in a message: its bytes or its URL. */
interface Given {
  readonly filename: string
  readonly mediaType: string | null
  readonly bytes: Buffer | null
  readonly url: string | null
  readonly id: string | null
}

const DATA = /^data:([^;,]{1,200})?(?:;[^,;]{1,200}){0,4},/
const PDF = 'application/pdf'

const isDocument = (part: unknown): part is Part => isRecord(part) && part['type'] === 'file'
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * Returns true if a document in this form is sent to the provider as it is: other providers would
 * drop or reject it.
 */
function takesDocument(exchange: Exchange, { mediaType, bytes, url, id }: Given): boolean {
  const { documents } = exchange.resolved.provider.abilities
  if (documents === 'all' || (url !== null && exchange.keepsLinkedDocuments)) return true
  const forms = { id: id !== null, url: url !== null, pdf: bytes !== null && mediaType === PDF }
  return documents.some((form) => forms[form])
}

function readPart(part: Part): Given {
  const file = isRecord(part['file']) ? part['file'] : {}
  const data = text(file['file_data'])
  const head = data === null ? null : DATA.exec(data)
  const filename = text(file['filename'])
  const declared = head?.[1]?.toLowerCase() ?? null
  const isPdf = declared === PDF || (declared === null && /\.pdf$/i.test(filename ?? ''))
  return {
    filename: filename ?? (isPdf ? 'document.pdf' : 'document'),
    mediaType: isPdf ? PDF : declared,
    bytes: data === null ? null : Buffer.from(head ? data.slice(head[0].length) : data, 'base64'),
    url: text(file['file_url']),
    id: text(file['file_id']),
  }
}

/**
 * Replaces documents in messages for models that cannot read them: by their text, or by images in
 * the case of images. Returns the same object if there are none, or if the provider accepts them.
 * Throws 400 with the location of a part that cannot be converted.
 */
export function readDocuments(
  { library }: CompletionsParts,
  exchange: Exchange,
  request: ChatCompletionRequest,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  const hasDocuments = request.messages.some(
    ({ content }) => Array.isArray(content) && content.some(isDocument),
  )
  return library && hasDocuments ? replaceDocuments(library, exchange, request) : request
}

async function replaceDocuments(
  library: Library,
  exchange: Exchange,
  request: ChatCompletionRequest,
): Promise<ChatCompletionRequest> {
  let isChanged = false
  let isReadable = false
  const messages = await replaceParts(request.messages, async (part, place) => {
    const given = readPart(part)
    const stored = given.id === null ? null : await storedText(library, exchange, given.id)
    if (stored === null && takesDocument(exchange, given)) {
      isReadable ||= given.bytes !== null
      return part
    }
    isChanged = true
    return stored ?? (await toReadablePart(given, { library, signal: exchange.signal, place }))
  })
  const { documents } = exchange.resolved.provider.abilities
  if (isReadable && documents !== 'all')
    exchange.readAsText = (sent) => readAll(library, exchange, sent)
  return isChanged ? { ...request, messages } : request
}

/**
 * Replaces all documents whose bytes are present by their text, for a provider that rejected them.
 */
function readAll(library: Library, { signal }: Exchange, messages: Messages): Promise<Messages> {
  return replaceParts(messages, async (part, place) => {
    const given = readPart(part)
    return given.bytes === null ? part : toReadablePart(given, { library, signal, place })
  })
}

/** Replaces documents in order; `replace` receives their location. */
async function replaceParts(
  given: Messages,
  replace: (part: Part, place: string) => Promise<Part>,
): Promise<Messages> {
  const messages: Messages = []
  for (const [index, message] of given.entries()) {
    const { content } = message
    if (!Array.isArray(content) || !content.some(isDocument)) messages.push(message)
    else {
      const parts: unknown[] = []
      for (const [position, part] of (content as unknown[]).entries()) {
        parts.push(
          isDocument(part) ? await replace(part, `messages[${index}].content[${position}]`) : part,
        )
      }
      messages.push({ ...message, content: parts })
    }
  }
  return messages
}

const toText = (filename: string, content: string): Part => ({
  type: 'text',
  text: `Document: ${filename}\n${content}`,
})

/**
 * Returns the text of a file stored on the gateway; null if the id does not belong to the caller.
 */
async function storedText(
  { files }: Library,
  { caller }: Exchange,
  id: string,
): Promise<Part | null> {
  const file = await files.get(caller.userId, id)
  const content = file && (await files.content(id))
  return file && content ? toText(file.filename, content.text) : null
}

async function toReadablePart(
  { filename, mediaType, bytes, url, id }: Given,
  { library, signal, place }: { library: Library; signal: AbortSignal; place: string },
): Promise<Part> {
  const refuse = (reason: string) =>
    badRequest(`The document at ${place} ${reason}`, { code: 'document_unreadable', param: place })
  if (id !== null)
    throw refuse('is not among your files. Upload it here, or send its content as file_data.')
  if (url !== null)
    throw refuse(
      'is given by its address, which this model cannot open. Send its content as file_data.',
    )
  if (bytes === null || bytes.length === 0)
    throw refuse('holds no data. Send its content as file_data, in base64.')
  if (mediaType?.startsWith('image/')) {
    return {
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${bytes.toString('base64')}` },
    }
  }
  try {
    const { text: content } = await library.readDocument(
      { bytes, filename, contentType: mediaType },
      signal,
    )
    if (content.trim() === '')
      throw refuse('holds no text, and this model reads text only. Send its pages as pictures.')
    return toText(filename, content)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) throw error
    throw refuse(`cannot be read: ${error.message}`)
  }
}
