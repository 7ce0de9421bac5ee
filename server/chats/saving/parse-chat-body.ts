import type { ChatBodyInput } from '#contract/chats.ts'
import { checkPlainJsonInSteps } from '../../lib/json/check-plain-json.ts'
import { badRequest } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { requireFit, type RecordBounds } from '../../lib/json/record-bounds.ts'
import { eachInSteps, ONE_IN_A_STEP } from '../../lib/turns.ts'
import { parseMessage, toMessageId, type MentionedMessage } from './parse-message.ts'
import { BODY_TAGS, checkTags } from '../tags/tag-names.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Content sent by a caller, in a form that can be merged; absent fields were not mentioned. */
export interface ChatChanges {
  readonly title?: string
  readonly models?: string[]
  readonly params?: Record<string, unknown>
  readonly files?: unknown[]
  readonly tags?: unknown[]
  readonly timestamp?: number
  readonly extra: Record<string, unknown>
  readonly historyExtra: Record<string, unknown>
  readonly messages: Map<string, MentionedMessage>
  /**
   * Messages of the flat list beside a tree: they only count if neither the tree nor the storage
   * has them.
   */
  readonly flatOnly: ReadonlySet<string>
  /** Last message of a flat list without a tree. */
  readonly lastOfList: string | null
  readonly currentId?: string | null
  readonly repairs: string[]
}

const OWN_FIELDS = new Set([
  'title',
  'models',
  'messages',
  'history',
  'files',
  'tags',
  'params',
  'timestamp',
  'currentId',
])
/** Fields of the chat record that only the gateway writes. */
const RECORD_FIELDS = new Set(['id', 'user_id', 'created_at', 'updated_at'])
const FIRST_MILLISECOND_STAMP = 100_000_000_000

/** Picks the accepted own fields as data: `__proto__` and the like are ordinary names here. */
const pickFields = (source: object, isKept: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(source).filter(([name]) => isKept(name)))

function toMilliseconds(stamp: number, repairs: string[]): number {
  if (!Number.isSafeInteger(Math.floor(stamp)) || stamp < 0)
    throw badRequest('The timestamp of the chat is not a time in milliseconds.')
  if (stamp >= FIRST_MILLISECOND_STAMP || stamp === 0) return Math.floor(stamp)
  repairs.push('The timestamp of the chat was in seconds and is kept in milliseconds.')
  return Math.floor(stamp * 1000)
}

function parseCurrentId(body: ChatBodyInput, repairs: string[]): string | null | undefined {
  const history: Record<string, unknown> = body.history ?? {}
  const sent = history['currentId'] ?? body.currentId
  if (typeof sent === 'string') return toMessageId(sent)
  const misspelled = history['current_id'] ?? body['current_id']
  if (typeof misspelled !== 'string') return sent === undefined ? undefined : null
  repairs.push('"current_id" was read as "currentId".')
  return toMessageId(misspelled)
}

/** Context of a body for parsing. */
interface BodyRules {
  readonly isNew: boolean
  readonly bounds: RecordBounds
}

type ParsedMessages = Generator<void, Map<string, MentionedMessage>>

const parseBounded = (
  id: string,
  value: Record<string, unknown>,
  { bounds, repairs }: { bounds: RecordBounds; repairs: string[] },
): MentionedMessage => {
  requireFit(value, `The message ${JSON.stringify(id)}`, bounds)
  return parseMessage(id, value, repairs)
}

function* parseTree(body: ChatBodyInput, { bounds }: BodyRules, repairs: string[]): ParsedMessages {
  const messages = new Map<string, MentionedMessage>()
  const sent: Record<string, unknown> = body.history?.messages ?? {}
  yield* eachInSteps(
    Object.keys(sent),
    (key) => {
      const value = sent[key]
      const id = toMessageId(key)
      if (!isRecord(value)) throw badRequest(`The message ${JSON.stringify(id)} is not an object.`)
      if (value['id'] !== undefined && value['id'] !== key) {
        repairs.push(
          `The message under ${JSON.stringify(id)} carried another id; the name it stands under counts.`,
        )
      }
      messages.set(id, parseBounded(id, value, { bounds, repairs }))
    },
    ONE_IN_A_STEP,
  )
  return messages
}

/**
 * Parses the legacy list on its own: each message follows the previous one unless it says
 * otherwise.
 */
function* parseFlatList(
  body: ChatBodyInput,
  { isNew, bounds }: BodyRules,
  repairs: string[],
): ParsedMessages {
  const messages = new Map<string, MentionedMessage>()
  let previous: string | null = null
  yield* eachInSteps(
    (body.messages ?? []).entries(),
    ([index, value]) => {
      if (!isRecord(value)) throw badRequest(`messages[${index}] is not an object.`)
      if (typeof value.id !== 'string' && !isNew) {
        throw badRequest(
          `messages[${index}] has no id. Give every message a UUID, so that it can be told from the stored ones.`,
        )
      }
      const id: string = typeof value.id === 'string' ? toMessageId(value.id) : newId()
      messages.set(id, { ...parseBounded(id, value, { bounds, repairs }), previous })
      previous = id
    },
    ONE_IN_A_STEP,
  )
  return messages
}

/** Parses the flat list beside a tree, which only counts for messages the tree omits. */
function* parseMissingFromTree(
  body: ChatBodyInput,
  tree: ReadonlyMap<string, MentionedMessage>,
  bounds: RecordBounds,
): ParsedMessages {
  const messages = new Map<string, MentionedMessage>()
  yield* eachInSteps(
    body.messages ?? [],
    (value) => {
      if (!isRecord(value) || typeof value.id !== 'string') return
      const id = toMessageId(value.id)
      if (!tree.has(id)) messages.set(id, parseBounded(id, value, { bounds, repairs: [] }))
    },
    ONE_IN_A_STEP,
  )
  return messages
}

/**
 * Parses a chat body into changes, correcting whatever is unambiguous; throws 400 with the reason
 * for the rest. In short steps.
 */
export function* parseChatBody(
  body: ChatBodyInput,
  options: BodyRules,
): Generator<void, ChatChanges> {
  yield* checkPlainJsonInSteps(body)
  if (options.isNew) checkTags(body.tags ?? [])
  const repairs: string[] = []
  const tree = yield* parseTree(body, options, repairs)
  const beside =
    tree.size > 0
      ? yield* parseMissingFromTree(body, tree, options.bounds)
      : new Map<string, MentionedMessage>()
  const messages = tree.size > 0 ? tree : yield* parseFlatList(body, options, repairs)
  yield* eachInSteps(beside, ([id, message]) => messages.set(id, message))
  const unknown = pickFields(
    body,
    (name) => !OWN_FIELDS.has(name) && !RECORD_FIELDS.has(name) && name !== 'current_id',
  )
  // Clients send a whole chat back with an empty or stale list, which is only a field of the body:
  // the routes of tags alone change the tags of a stored chat.
  const extra =
    options.isNew || body.tags == null ? unknown : { ...unknown, [BODY_TAGS]: body.tags }
  const historyExtra = pickFields(
    body.history ?? {},
    (name) => name !== 'currentId' && name !== 'messages' && name !== 'current_id',
  )
  requireFit(
    [extra, historyExtra, body.params, body.files, body.tags],
    'The chat, without its messages,',
    options.bounds,
  )
  yield
  return {
    title: body.title ?? undefined,
    models: body.models ?? undefined,
    params: body.params ?? undefined,
    files: body.files ?? undefined,
    tags: options.isNew ? (body.tags ?? undefined) : undefined,
    timestamp: body.timestamp == null ? undefined : toMilliseconds(body.timestamp, repairs),
    extra,
    historyExtra,
    messages,
    flatOnly: new Set(beside.keys()),
    lastOfList: tree.size > 0 ? null : ([...messages.keys()].at(-1) ?? null),
    currentId: parseCurrentId(body, repairs),
    repairs,
  }
}
