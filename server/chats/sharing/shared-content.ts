import { someInOrder } from '../../lib/in-order.ts'
import type { Chat, Message } from '#contract/chats.ts'
import { badRequest, ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { ChatContext } from '../chat-context.ts'
import { requireShare } from './share-chat.ts'

/** Maximum number of UTF-16 units of a snapshot that is parsed within milliseconds. */
const LONGEST_SNAPSHOT = 2_000_000
const MOST_SHARES = 200
const MOST_KNOWN = 2000

/**
 * Returns the messages of a share link up to the current one; null for links the caller cannot
 * access.
 */
export async function readSharedThread(
  context: ChatContext,
  caller: Caller,
  shareId: string,
): Promise<{ title: string; messages: Message[] } | null> {
  try {
    let snapshot = ''
    for await (const piece of context.shares.pieces(await requireShare(context, caller, shareId))) {
      snapshot += piece
      if (snapshot.length > LONGEST_SNAPSHOT)
        throw badRequest(
          'This shared chat is too long to be attached. Copy it into your chats first.',
        )
    }
    const { title, chat } = JSON.parse(snapshot) as Chat
    return { title, messages: climb(chat.history.messages, chat.history.currentId ?? null) }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null
    throw error
  }
}

function climb(messages: Readonly<Record<string, Message>>, currentId: string | null): Message[] {
  const thread: Message[] = []
  const seen = new Set<string>()
  for (let id = currentId; id !== null && !seen.has(id) && Object.hasOwn(messages, id);) {
    const message = messages[id]!
    seen.add(id)
    thread.unshift(message)
    id = message.parentId ?? null
  }
  return thread
}

/** Snapshots do not change without a new time, so their content is looked up once. */
const known = new WeakMap<ChatContext, Map<string, boolean>>()

async function shows(
  context: ChatContext,
  share: { id: string; updated_at: number },
  fileId: string,
): Promise<boolean> {
  const answers = known.get(context) ?? new Map<string, boolean>()
  known.set(context, answers)
  const key = `${share.id} ${share.updated_at} ${fileId}`
  const before = answers.get(key)
  if (before !== undefined) return before
  if (answers.size >= MOST_KNOWN) answers.clear()
  const found = await context.shares.mentions(share.id, fileId)
  answers.set(key, found)
  return found
}

/**
 * Returns true if a chat shared by a user shows the reader a file of that user.
 * @NOTE Only files of the sharing user count: naming a file in one's own chat does not give access
 *   to it.
 */
export async function sharesFile(
  context: ChatContext,
  reader: Pick<Caller, 'userId' | 'role'>,
  { ownerId, fileId }: { ownerId: string; fileId: string },
): Promise<boolean> {
  const { shares, access } = context
  return await someInOrder(
    await shares.ofUser(ownerId, MOST_SHARES),
    async (share) =>
      (share.is_open === 1 ||
        (await access.allows(reader, { type: 'chat', id: share.chat_id, ownerId }, 'read'))) &&
      (await shows(context, share, fileId)),
  )
}
