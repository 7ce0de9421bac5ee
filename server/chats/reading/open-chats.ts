import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { readOfSeveral } from './read-of-several.ts'
import type { ExpectedLink } from './render-chat.ts'
import type { ChatSnapshot } from './snapshots.ts'

/** A chat that can be read, with what was read of it already. */
export interface OpenedChat {
  readonly record: ChatRow
  readonly snapshot?: ChatSnapshot
  readonly expected?: readonly ExpectedLink[]
}

/** Expected children read at once; a chat with more of them is read by itself. */
const MOST_EXPECTED = 500

type Ids = Iterable<string | null> | AsyncIterable<string | null>

/**
 * Opens chats one after another; null for one that is deleted meanwhile, and for a null. On a
 * database server they are opened in groups, because a statement for each is a round trip.
 */
export async function* openChats(
  context: ChatContext,
  ids: Ids,
): AsyncGenerator<OpenedChat | null, undefined> {
  const most = context.storage.pace.chatsRead
  if (most === 1) return yield* openEach(context, ids)
  let group: string[] = []
  for await (const id of ids) {
    if (id === null) yield null
    else group.push(id)
    if (group.length < most) continue
    yield* openGroup(context, group)
    group = []
  }
  yield* openGroup(context, group)
}

async function* openEach(
  { store }: ChatContext,
  ids: Ids,
): AsyncGenerator<OpenedChat | null, undefined> {
  for await (const id of ids) {
    const record = id === null ? undefined : await store.chat(id)
    yield record && record.deleted_at === null ? { record } : null
  }
}

async function* openGroup(
  { store }: ChatContext,
  ids: readonly string[],
): AsyncGenerator<OpenedChat | null, undefined> {
  const sizes = new Map((await store.sizedIds(ids)).map((sized) => [sized.id, sized]))
  const present = ids.flatMap((id) => sizes.get(id) ?? [])
  if (present.length === 0) return
  const known = present.map(({ id }) => id)
  const snapshots = await store.snapshots.openSeveral(known)
  try {
    const expected = await readOfSeveral(known, MOST_EXPECTED, (some, most) =>
      store.expectedOfSeveral(some, most),
    )
    for await (const record of readInGroups(present, (some) => store.chatsByIds(some))) {
      const { id } = record
      const links = expected.get(id)
      yield { record, snapshot: snapshots.get(id)!, ...(links && { expected: links }) }
    }
  } finally {
    for (const snapshot of snapshots.values()) snapshot.end()
  }
}
