import type { Chat, ChatListItem } from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import { parseJsonInSteps } from '../../lib/json/parse-json.ts'
import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import { runInTurns } from '../../lib/turns.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import { createContext, type ChatsDependencies } from '../create-context.ts'
import { toFolder } from '../folders/read-folder.ts'
import { listChats } from '../lists/list-chats.ts'
import { readChat } from './read-chat.ts'

async function* read(context: ChatContext, chatId: string): AsyncGenerator<void, Chat> {
  const pieces: string[] = []
  for await (const piece of readChat(context, chatId)) {
    pieces.push(piece)
    yield
  }
  return (yield* parseJsonInSteps(Buffer.from(pieces.join('')))).value as Chat
}

/** Read-only chats of an earlier state of the database; see `Chats` for the operations. */
export class OldChats {
  readonly #context: ChatContext

  constructor({ storage, access }: Pick<ChatsDependencies, 'storage' | 'access'>) {
    this.#context = createContext({
      storage,
      access,
      events: { emit: () => undefined, limits: { requireFit: () => undefined } },
      tasks: { ofChat: () => [], stop: () => false },
      groups: { allows: () => false },
      mostMessages: () => Infinity,
      mostChanges: () => Infinity,
      recordBounds: () => ({ values: Infinity, characters: Infinity }),
      mostEventCharacters: () => Infinity,
      dataDir: '',
    })
  }

  /** Lists the chats in short steps, including archived ones. */
  list(userId: string): AsyncGenerator<ChatListItem | undefined> {
    const request = { includePinned: true, includeFolders: true, page: undefined }
    return listChats(this.#context, userId, request)
  }

  async folders(userId: string): Promise<Folder[]> {
    const { folders } = this.#context
    const ids = await folders.idsOfUser(userId)
    return Array.fromAsync(
      readInGroups(ids, (some) => folders.several(some)),
      toFolder,
    )
  }

  /** Throws the same 404 for a missing or foreign chat. */
  async read(userId: string, chatId: string): Promise<Chat> {
    const { id } = await requireChat(this.#context, userId, chatId)
    return runInTurns(read(this.#context, id))
  }
}
