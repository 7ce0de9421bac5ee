import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { toFolder } from '../folders/read-folder.ts'
import { readChats } from '../lists/stream-chats.ts'
import { listAllTags } from '../tags/change-tags.ts'

async function* writeFolders({ folders }: ChatContext, userId: string): AsyncGenerator<string> {
  let isFirst = true
  for (const id of await folders.idsOfUser(userId)) {
    const folder = await folders.get(id)
    if (!folder) continue
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
  const tags = listAllTags(context, userId)
  let step = await tags.next()
  for (; !step.done; step = await tags.next()) yield ''
  yield `],"tags":${JSON.stringify(step.value)},"chats":[`
  yield* readChats(context, context.lists.idsIn(userId, 'everything'), ',\n')
  yield ']}\n'
}
