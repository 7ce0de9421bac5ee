import { nowSeconds } from '../../lib/ids.ts'
import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import type { ChatContext } from '../chat-context.ts'
import { toFolder } from '../folders/read-folder.ts'
import { readChats } from '../lists/stream-chats.ts'
import { listAllTags } from '../tags/change-tags.ts'

async function* writeFolders({ folders }: ChatContext, userId: string): AsyncGenerator<string> {
  let isFirst = true
  const ids = await folders.idsOfUser(userId)
  for await (const folder of readInGroups(ids, (some) => folders.several(some))) {
    yield `${isFirst ? '' : ','}${JSON.stringify(toFolder(folder))}`
    isFirst = false
  }
}

/**
 * Writes all chats and folders of a user as one JSON document that the import can read; piece by
 * piece.
 */
export async function* writeArchive(context: ChatContext, userId: string): AsyncGenerator<string> {
  yield `{"format":"chat-gateway-archive","version":1,"exported_at":${nowSeconds()},"folders":[`
  yield* writeFolders(context, userId)
  yield `],"tags":${JSON.stringify(await listAllTags(context, userId))},"chats":[`
  yield* readChats(context, context.lists.idsIn(userId, 'everything'), ',\n')
  yield ']}\n'
}
