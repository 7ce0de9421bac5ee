import type { Chat } from '#contract/chats.ts'
import { badRequest } from '../../lib/errors.ts'
import { asJsonPieces } from '../../lib/http.ts'
import type { ChatContext } from '../chat-context.ts'
import { checkPlainJsonInSteps } from '../../lib/json/check-plain-json.ts'
import type { NewChatRecord } from '../saving/save-chat.ts'
import { inBrackets, readChats } from '../lists/stream-chats.ts'
import { asList, type Fields } from './archive-chat.ts'
import { createFrom } from './import-chat.ts'
import { parseOwnChat } from './parse-own.ts'
import { isRecord } from '../../lib/is-record.ts'

async function* importRecord(
  context: ChatContext,
  userId: string,
  record: Fields,
): AsyncGenerator<void, string> {
  const parsed = parseOwnChat(record)
  const meta = isRecord(record['meta']) ? record['meta'] : {}
  yield* checkPlainJsonInSteps(meta)
  const besides = async (): Promise<NewChatRecord> => {
    const folder = parsed.folder === null ? undefined : await context.folders.get(parsed.folder)
    return { folder_id: folder?.user_id === userId ? folder.id : null, meta: JSON.stringify(meta) }
  }
  return (yield* createFrom(context, userId, parsed, { record: besides })).id
}

const isChatRecord = (value: unknown): value is Fields => isRecord(value) && isRecord(value['chat'])

/** Stores chats as received, each as a new one, in short steps. */
export async function* importRecords(
  context: ChatContext,
  userId: string,
  body: unknown,
): AsyncGenerator<void, Chat[]> {
  const sent = isRecord(body) && Array.isArray(body['chats']) ? asList(body['chats']) : [body]
  const ids: string[] = []
  for (const [index, record] of sent.entries()) {
    if (!isChatRecord(record)) throw badRequest(`chats[${index}] has no "chat".`)
    ids.push(yield* importRecord(context, userId, record))
    yield
  }
  await context.backlog.wake()
  context.announce.allChanged(userId, 'imported')
  return asJsonPieces<Chat[]>(inBrackets(readChats(context, ids)))
}
