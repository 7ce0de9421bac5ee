/** Writes chats as JSON text: stored JSON is sent unchanged, and any name can be a key. */
import { eachInSteps, runAtOnce } from '../../lib/turns.ts'
import { splitBodyTags, tagNamesOf } from '../tags/tag-names.ts'
import type { ListRow, ChatRow } from '../store.ts'
import type { LinkRow, MessageRow } from '../chat-rows.ts'

const quote = (value: unknown): string => JSON.stringify(value)
const toBoolean = (flag: number): string => (flag === 1 ? 'true' : 'false')

/** Returns the inside of a stored JSON object, to follow other fields. */
const restOf = (object: string): string => (object === '{}' ? '' : `,${object.slice(1, -1)}`)

/** Writes a message; `childrenIds` is the inside of a JSON array. */
export function renderMessage(row: MessageRow, childrenIds: string, siblingIds?: string): string {
  const model = row.model === null ? '' : `,"model":${quote(row.model)}`
  const done = row.done === null ? '' : `,"done":${toBoolean(row.done)}`
  const reasoning =
    row.reasoning_content === null ? '' : `,"reasoning_content":${quote(row.reasoning_content)}`
  const siblings = siblingIds === undefined ? '' : `,"siblingIds":[${siblingIds}]`
  return (
    `{"id":${quote(row.id)},"parentId":${quote(row.parent_id)},"childrenIds":[${childrenIds}],"role":${quote(row.role)}` +
    `,"content":${row.parts ?? quote(row.content)},"timestamp":${row.timestamp}` +
    model +
    done +
    reasoning +
    restOf(row.extra) +
    siblings +
    '}'
  )
}

type ChildLink = Pick<LinkRow, 'id' | 'parent_id'>
export type ExpectedLink = { readonly parent_id: string; readonly child_id: string }

/**
 * Yields the children of each message as the inside of a JSON array: stored ones by age, then those
 * still expected. In steps.
 */
export function* renderChildrenInSteps(
  links: Iterable<ChildLink>,
  expected: readonly ExpectedLink[],
): Generator<void, Map<string | null, string>> {
  const children = new Map<string | null, string>()
  const add = (parentId: string | null, id: string): void => {
    const known = children.get(parentId)
    children.set(parentId, known === undefined ? quote(id) : `${known},${quote(id)}`)
  }
  yield* eachInSteps(links, (link) => add(link.parent_id, link.id))
  yield* eachInSteps(expected, (link) => add(link.parent_id, link.child_id))
  return children
}

/** Same as `renderChildrenInSteps`, at once, for few messages. */
export const renderChildren = (
  links: Iterable<ChildLink>,
  expected: readonly ExpectedLink[],
): Map<string | null, string> => runAtOnce(renderChildrenInSteps(links, expected))

/** Returns the messages from the root to the current one, in steps. */
export function* findThread(
  links: readonly LinkRow[],
  currentId: string | null,
): Generator<void, number[]> {
  const byId = new Map<string, LinkRow>()
  yield* eachInSteps(links, (link) => byId.set(link.id, link))
  const thread: number[] = []
  for (
    let link = byId.get(currentId ?? '');
    link;
    link = link.parent_id === null ? undefined : byId.get(link.parent_id)
  ) {
    thread.push(link.seq)
    yield
  }
  return thread.reverse()
}

/** Runs steps that yield no text. */
export function* withoutText<Result>(steps: Generator<void, Result>): Generator<string, Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    yield ''
  }
}

export interface ChatContent {
  /** All messages, oldest first. */
  readonly links: readonly LinkRow[]
  readonly readRows: (seqs: readonly number[]) => AsyncGenerator<MessageRow, undefined>
  readonly expected: readonly ExpectedLink[]
  readonly repairs?: readonly string[]
}

/**
 * Maximum number of characters of texts kept from the tree for the thread; further ones are read
 * and written again.
 */
const MOST_KEPT = 6 * 1024 * 1024

/**
 * Adds the default of `done` to the empty answer a client stored before it asks for the text. Only
 * whole chats show it: a window of the interface would wait for the text.
 */
const withDefaults = (row: MessageRow): MessageRow =>
  row.done === null && row.role === 'assistant' && row.content === '' && row.parts === null
    ? { ...row, done: 0 }
    : row

/** Writes the tree of all messages, followed by the current thread. */
async function* renderMessages(
  chat: ChatRow,
  { links, readRows, expected }: ChatContent,
): AsyncGenerator<string> {
  const children = yield* withoutText(renderChildrenInSteps(links, expected))
  const thread = yield* withoutText(findThread(links, chat.current_id))
  yield ''
  const inThread = new Set(thread)
  const render = (row: MessageRow): string =>
    renderMessage(withDefaults(row), children.get(row.id) ?? '')
  const texts = new Map<number, string>()
  let room = MOST_KEPT
  yield '"messages":{'
  for await (const row of readRows(links.map((link) => link.seq))) {
    const text = render(row)
    yield `${row.seq === links[0]!.seq ? '' : ','}${quote(row.id)}:${text}`
    if (!inThread.has(row.seq) || text.length > room) continue
    texts.set(row.seq, text)
    room -= text.length
  }
  yield `}${restOf(chat.history_extra)}},"messages":[`
  const unkept = readRows(thread.filter((seq) => !texts.has(seq)))[Symbol.asyncIterator]()
  for (const seq of thread) {
    yield `${seq === thread[0] ? '' : ','}${texts.get(seq) ?? render((await unkept.next()).value!)}`
  }
  yield ']'
}

/** Writes a chat record with all its branches, piece by piece. */
export async function* renderChat(chat: ChatRow, content: ChatContent): AsyncGenerator<string> {
  const { repairs = [] } = content
  const currentId = quote(chat.current_id)
  const { bodyTags = chat.tags, others } = splitBodyTags(chat.extra)
  yield (
    `{"id":${quote(chat.id)},"user_id":${quote(chat.user_id)},"title":${quote(chat.title)}` +
      `,"chat":{"title":${quote(chat.title)},"models":${chat.models},"history":{"currentId":${currentId},`
  )
  yield* renderMessages(chat, content)
  yield (
    `,"currentId":${currentId},"files":${chat.files},"tags":${bodyTags},"params":${chat.params}` +
      `,"timestamp":${chat.timestamp}${restOf(others)}}` +
      `,"created_at":${chat.created_at},"updated_at":${chat.updated_at},"pinned":${toBoolean(chat.pinned)},"archived":${toBoolean(chat.archived)}` +
      `,"share_id":${quote(chat.share_id)},"folder_id":${quote(chat.folder_id)},"meta":${chat.meta}` +
      (repairs.length > 0 ? `,"repairs":${quote(repairs)}` : '') +
      '}'
  )
}

/** Converts a row to an entry of the chat list. */
export const toListItem = (row: ListRow, active: boolean) => ({
  id: row.id,
  title: row.title,
  created_at: row.created_at,
  updated_at: row.updated_at,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  folder_id: row.folder_id,
  share_id: row.share_id,
  tags: tagNamesOf(row.tags),
  last_read_at: row.last_read_at,
  active,
})
