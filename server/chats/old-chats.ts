import type { Chat, ChatListItem } from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import { parseJsonInSteps } from '../lib/parse-json.ts'
import { runInTurns } from '../lib/turns.ts'
import { requireChat, type ChatContext } from './chat-context.ts'
import { createContext, type ChatsDependencies } from './create-context.ts'
import { toFolder } from './folders/read-folder.ts'
import { listChats } from './list-chats.ts'
import { readChat } from './read-chat.ts'

async function* read(context: ChatContext, chatId: string): AsyncGenerator<void, Chat> {
  const pieces: string[] = []
  for await (const piece of readChat(context, chatId)) {
    pieces.push(piece)
    yield
  }
  return (yield* parseJsonInSteps(Buffer.from(pieces.join('')))).value as Chat
}

/**
 * Chats of an earlier state of the database that nobody writes to, to be read; see `Chats` for what
 * can be done with them.
 */
export class OldChats {
  readonly #context: ChatContext

  constructor({ storage, access }: Pick<ChatsDependencies, 'storage' | 'access'>) {
    this.#context = createContext({
      storage,
      access,
      events: { emit: () => undefined, requireFit: () => undefined },
      tasks: { ofChat: () => [], stop: () => false },
      groups: { allows: () => false },
      mostMessages: () => Infinity,
      mostChanges: () => Infinity,
      recordBounds: () => ({ values: Infinity, characters: Infinity }),
      mostEventCharacters: () => Infinity,
      dataDir: '',
    })
  }

  /** In short steps, archived ones too. */
  list(userId: string): AsyncGenerator<ChatListItem | undefined> {
    const request = { includePinned: true, includeFolders: true, page: undefined }
    return listChats(this.#context, userId, request)
  }

  async folders(userId: string): Promise<Folder[]> {
    const { folders } = this.#context
    const found: Folder[] = []
    for (const id of await folders.idsOfUser(userId)) {
      const row = await folders.get(id)
      if (row) found.push(toFolder(row))
    }
    return found
  }

  /** A missing or foreign chat is the same 404. */
  async read(userId: string, chatId: string): Promise<Chat> {
    const { id } = await requireChat(this.#context, userId, chatId)
    return runInTurns(read(this.#context, id))
  }
}
