import { flatMapInOrder, mapInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { readEntries, type Entry } from './entries.ts'
import type { Library } from './library.ts'
import { isPicture } from './readings.ts'

type Message = ChatCompletionRequest['messages'][number]
type Part = Readonly<Record<string, unknown>>

const FILE_ADDRESS = /^(?:\/api\/v1\/files\/)?([\w-]{8,64})(?:\/content(?:\/[^?#]*)?)?(?:\?[^#]*)?$/
const BLIND = '[A picture was attached here. This model cannot see pictures.]'
const GONE = '[A picture was attached here. It no longer exists.]'

/** The id of the file an address stands for; null for any other address. */
const toFileId = (url: unknown): string | null =>
  typeof url === 'string' ? (FILE_ADDRESS.exec(url)?.[1] ?? null) : null

const urlOf = (part: unknown): unknown => {
  const image = isRecord(part) && part['type'] === 'image_url' ? part['image_url'] : null
  return isRecord(image) ? image['url'] : image
}

const canSee = ({ model, preset }: ResolvedModel): boolean => {
  const preset_ = preset?.meta['capabilities']
  const told = isRecord(preset_) ? preset_['vision'] : undefined
  return typeof told === 'boolean' ? told : model.capabilities['vision'] !== false
}

/** A picture among the attachments of a message: its address, or the file that holds it. */
async function toPicture(
  library: Library,
  exchange: Exchange,
  { type, id, url }: Entry,
): Promise<string | null> {
  if (type === 'image') return toFileId(url) ?? id ?? url
  const file =
    type === 'file' && id !== null ? await library.files.get(exchange.caller.userId, id) : null
  return file && isPicture(file) ? file.id : null
}

/**
 * Puts the bytes of attached pictures where messages only name them; the same object when there are
 * none.
 */
export function showPictures(
  { library }: Pick<CompletionsParts, 'library'>,
  exchange: Exchange,
  request: ChatCompletionRequest,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  // Most requests are of plain texts, and nothing about them has to be looked at closer.
  const isPlain =
    !request.files?.length &&
    request.messages.every(
      ({ content, files }) => typeof content === 'string' && files === undefined,
    )
  return isPlain || library === undefined ? request : showAttached(library, exchange, request)
}

async function showAttached(
  library: Library,
  exchange: Exchange,
  request: ChatCompletionRequest,
): Promise<ChatCompletionRequest> {
  const last = request.messages.findLastIndex(({ role }) => role === 'user')
  const attached = await mapInOrder(request.messages, async (message, index) => {
    // Pictures of answers were made by tools; models take none from themselves.
    const items =
      message.role === 'user' ? [message['files'], index === last ? request.files : undefined] : []
    const entries = items.flatMap((list) => readEntries(list, false))
    return [
      ...new Set(
        await flatMapInOrder(
          entries,
          async (entry) => (await toPicture(library, exchange, entry)) ?? [],
        ),
      ),
    ]
  })
  const hasNamed = ({ content }: Message) =>
    Array.isArray(content) && content.some((part) => toFileId(urlOf(part)) !== null)
  if (attached.every((list) => list.length === 0) && !request.messages.some(hasNamed))
    return request
  return show(library, exchange, { request, attached })
}

async function show(
  library: Library,
  exchange: Exchange,
  {
    request,
    attached,
  }: { request: ChatCompletionRequest; attached: readonly (readonly string[])[] },
): Promise<ChatCompletionRequest> {
  const seeing = canSee(exchange.resolved)
  let hidden = 0
  const toPart = async (address: string): Promise<Part> => {
    if (!seeing) hidden += 1
    if (!seeing) return { type: 'text', text: BLIND }
    const id = toFileId(address)
    const url = id === null ? address : await library.files.toDataUrl(exchange.caller.userId, id)
    return url === null ? { type: 'text', text: GONE } : { type: 'image_url', image_url: { url } }
  }
  const messages = await Promise.all(
    request.messages.map(async (message, index): Promise<Message> => {
      const { content } = message
      const parts = Array.isArray(content)
        ? (content as unknown[])
        : [{ type: 'text', text: content }]
      const own = await Promise.all(
        parts.map((part) =>
          toFileId(urlOf(part)) === null ? part : toPart(urlOf(part) as string),
        ),
      )
      const added = await Promise.all(attached[index]!.map(toPart))
      const isChanged = added.length > 0 || own.some((part, place) => part !== parts[place])
      return isChanged ? { ...message, content: [...own, ...added] } : message
    }),
  )
  if (hidden > 0) {
    const description =
      hidden === 1
        ? 'This model cannot see the attached picture.'
        : `This model cannot see the ${hidden} attached pictures.`
    exchange.tell({
      type: 'status',
      data: { action: 'pictures_left_out', count: hidden, description, done: true },
    })
  }
  return { ...request, messages }
}
