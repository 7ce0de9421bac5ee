import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { toFolder } from '../folders/read-folder.ts'
import { readChats } from '../lists/stream-chats.ts'
import { listAllTags } from '../tags/change-tags.ts'

/** Everything a person has in chats, as one JSON document that the import reads again; piece by piece. */
export function* writeArchive(context: ChatContext, userId: string): Generator<string> {
  const folders = context.folders.ofUser(userId).map(toFolder)
  yield (
    `{"format":"chat-gateway-archive","version":1,"exported_at":${nowSeconds()},"folders":${JSON.stringify(folders)}` +
      `,"tags":${JSON.stringify(listAllTags(context, userId))},"chats":[`
  )
  yield* readChats(context, context.lists.idsIn(userId, 'everything'), ',\n')
  yield ']}\n'
}
