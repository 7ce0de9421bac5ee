import { sourceSchema, type ChatCompletionRequest, type Source } from '#contract/completions.ts'
import type { Message } from '#contract/chats.ts'
import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { textOf } from '../message-text.ts'
import { firstText, toTextItem, type OutputItem } from '../tools/output-items.ts'

/** First part of an answer that a turn continues. */
export interface BegunAnswer {
  readonly content: string
  readonly reasoning: string
  readonly reasoningSeconds: number
  readonly seconds: number
  readonly usage: Readonly<Record<string, unknown>> | null
  readonly output: readonly unknown[]
  readonly sources: readonly Source[]
}

/**
 * Returns true if a request continues an answer of a chat. Clients that do not know the field send
 * the conversation with the answer as its last message, under the id of that answer.
 */
export const goesOn = ({
  continue_response: isAsked,
  chat_id: chatId,
  id,
  messages,
}: ChatCompletionRequest): boolean =>
  isAsked ?? Boolean(chatId && id && messages.at(-1)?.role === 'assistant')

/**
 * Returns the existing part of the answer that a request continues; null if it starts a new answer.
 * For a temporary chat the text is available only in the request.
 */
export function findBegun(
  request: ChatCompletionRequest,
  stored: Message | null,
  isTemporary: boolean,
): BegunAnswer | null {
  if (!goesOn(request)) return null
  const begun = isTemporary ? fromRequest(request) : fromMessage(stored)
  if (begun !== null && begun.content !== '') return begun
  if (request.continue_response !== true) return null
  throw badRequest('This answer has no text to continue. Request it again instead.', {
    code: 'nothing_to_continue',
  })
}

const fromRequest = ({ messages }: ChatCompletionRequest): BegunAnswer | null =>
  messages.at(-1)?.role === 'assistant'
    ? { ...NOTHING, content: textOf(messages.at(-1)!['content']) }
    : null

const NOTHING: BegunAnswer = {
  content: '',
  reasoning: '',
  reasoningSeconds: 0,
  seconds: 0,
  usage: null,
  output: [],
  sources: [],
}

const fromMessage = (stored: Message | null): BegunAnswer | null =>
  stored?.role === 'assistant' && stored.done !== false
    ? {
        content: stored.content,
        reasoning: stored.reasoning_content ?? '',
        reasoningSeconds: stored.reasoning_seconds ?? 0,
        seconds: stored.answer_seconds ?? 0,
        usage: stored.usage ?? null,
        output: Array.isArray(stored['output']) ? (stored['output'] as unknown[]) : [],
        sources: (stored.sources ?? []).flatMap((source) => {
          const read = sourceSchema.safeParse(source)
          return read.success ? [read.data] : []
        }),
      }
    : null

/**
 * Returns the sources an answer does not have yet; a second search finds most of the first ones
 * again.
 */
export function freshSources(
  known: readonly Source[],
  found: readonly Source[],
): readonly Source[] {
  if (known.length === 0) return found
  const seen = new Set(known.map(toKey))
  return found.filter((source) => !seen.has(toKey(source)))
}

const toKey = ({ source, document }: Source): string =>
  JSON.stringify([source.id, source.name, source.url, document])

const isText = (item: unknown): item is Extract<OutputItem, { type: 'message' }> =>
  isRecord(item) && item['type'] === 'message'

/**
 * Returns the output items of a whole answer whose second part produced `fresh`; see `toOutput`.
 */
export function joinOutput(
  begun: BegunAnswer | null,
  content: string,
  fresh: readonly OutputItem[],
): readonly OutputItem[] {
  if (begun === null) return fresh
  // Stored output may come from a client; `toMessages`, which accepts any shape, parses it again.
  const before = begun.output.filter(
    (item): item is OutputItem => isRecord(item) && item['type'] !== 'reasoning',
  )
  if (fresh.length === 0 && before.every(isText)) return []
  const first = before.length > 0 ? before : [toTextItem(begun.content)]
  const rest = content.slice(begun.content.length)
  const further = fresh.length > 0 || rest === '' ? fresh : [toTextItem(rest)]
  return joinTexts(first, further)
}

/** Merges the text items on both sides of the boundary into one. */
function joinTexts(
  first: readonly OutputItem[],
  further: readonly OutputItem[],
): readonly OutputItem[] {
  const last = first.at(-1)
  const [next] = further
  if (!isText(last) || !isText(next)) return [...first, ...further]
  const text = firstText(last.content) + firstText(next.content)
  return [...first.slice(0, -1), toTextItem(text), ...further.slice(1)]
}
