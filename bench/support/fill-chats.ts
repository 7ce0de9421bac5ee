import type Sqlite from 'better-sqlite3'
import { ChatSearch } from '../../server/chats/search/index.ts'
import { SearchStore } from '../../server/chats/search/store.ts'
import { createLogger } from '../../server/lib/logger.ts'
import { openStorage } from '../../server/storage/index.ts'
import { Users } from '../../server/users/index.ts'

export interface Filling {
  readonly chats: number
  readonly messagesPerChat: number
  /**
   * If true, every fifth message has the same parent as the message before it, and chats are
   * tagged, filed, pinned and archived.
   */
  readonly isOrganised?: boolean
}

export interface FilledChats {
  readonly userId: string
  /** Ids of the chats, oldest first. */
  readonly chatIds: readonly string[]
}

const VOCABULARY = 20_000
const WORDS_PER_MESSAGE = 24
const CHATS_PER_TRANSACTION = 5_000
const FIRST_SECOND = 1_600_000_000

/** Returns the same sequence of numbers in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'je',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'va',
  'we',
  'xi',
  'yo',
  'zu',
]

/** Returns the word of a rank: pronounceable, all different, the frequent ones short. */
export function wordOfRank(rank: number): string {
  let word = ''
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]!
  return word
}

/** Creates texts in which few words are very frequent and most are rare, as in real ones. */
function createTextSource(random: () => number): (words: number) => string {
  const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOfRank(rank))
  return (count) => {
    let text = ''
    for (let index = 0; index < count; index += 1)
      text += `${words[Math.floor(VOCABULARY * random() ** 3)]!} `
    return text
  }
}

const INSERT_CHAT =
  'insert into chat (id, user_id, title, current_id, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ' +
  "values (@id, @userId, @title, @currentId, '[\"model\"]', '{}', '[]', '[]', @second * 1000, '{}', '{}', '{}', @second, @second)"
const INSERT_MESSAGE =
  'insert into message (chat_id, id, parent_id, role, content, model, done, timestamp, extra) ' +
  'values (@chatId, @id, @parentId, @role, @content, @model, @done, @second, @extra)'

/** Returns a word that only one chat has, in its first message. */
export const wordOfChat = (chat: number): string => `case${chat}`

/**
 * Statements that tag, file, pin, archive and share chats by their number, so that some marks are
 * frequent and some are rare.
 */
const MARKS = [
  "insert into chat_tag (chat_id, tag_id, user_id, name) select id, 'work', user_id, 'Work' from chat where seq % 3 = 0",
  "insert into chat_tag (chat_id, tag_id, user_id, name) select id, 'rare', user_id, 'Rare' from chat where seq % 5000 = 1",
  "insert into folder (id, user_id, name, created_at, updated_at) select 'folder', id, 'Some Folder', 1, 1 from user",
  "update chat set folder_id = 'folder' where seq % 500 = 2",
  'update chat set pinned = 1 where seq % 2000 = 3',
  'update chat set archived = 1 where seq % 10 = 4',
  'update chat set share_id = id where seq % 4000 = 5',
  'update chat set models = \'["other-model"]\' where seq % 1000 = 6',
]

/** Writes one chat as a single thread, or with branches. */
function createChatWriter(
  sqlite: Sqlite.Database,
  search: ChatSearch,
  { userId, isForked }: { userId: string; isForked: boolean },
) {
  const insertChat = sqlite.prepare(INSERT_CHAT)
  const insertMessage = sqlite.prepare(INSERT_MESSAGE)
  const textOf = createTextSource(createRandom(7))
  const idOf = (chat: number, message: number) =>
    `${chat.toString(16).padStart(8, '0')}-${message.toString(16).padStart(4, '0')}-4000-8000-000000000000`

  return async (chat: number, messages: number): Promise<string> => {
    const id = idOf(chat, 0xffff)
    const second = FIRST_SECOND + chat * 60
    const title = textOf(4)
    const { lastInsertRowid } = insertChat.run({
      id,
      userId,
      title,
      currentId: idOf(chat, messages - 1),
      second,
    })
    await search.indexTitle({ seq: Number(lastInsertRowid), title }, userId)
    for (let index = 0; index < messages; index += 1) {
      const isAnswer = index % 2 === 1
      const content = textOf(WORDS_PER_MESSAGE) + (index === 0 ? wordOfChat(chat) : '')
      const message = insertMessage.run({
        chatId: id,
        id: idOf(chat, index),
        parentId:
          index === 0 ? null : idOf(chat, isForked && index % 5 === 4 ? index - 2 : index - 1),
        role: isAnswer ? 'assistant' : 'user',
        content,
        model: isAnswer ? 'model' : null,
        done: isAnswer ? 1 : null,
        second: second + index,
        extra: isAnswer
          ? '{"modelName":"Model","modelIdx":0,"usage":{"total_tokens":321}}'
          : '{"models":["model"]}',
      })
      await search.indexMessage(
        { seq: Number(message.lastInsertRowid), content, running: 0 },
        userId,
      )
    }
    return id
  }
}

/** Fills a new database file with chats of one user, in bulk and without syncing. */
export async function fillChats(
  path: string,
  { chats, messagesPerChat, isOrganised = false }: Filling,
): Promise<FilledChats> {
  const storage = openStorage({ path })
  try {
    const { sqlite } = storage
    sqlite.pragma('synchronous = OFF')
    const users = new Users({ storage, log: createLogger('silent') })
    const person = { name: 'Bench', email: 'bench@example.org', role: 'admin' } as const
    const { id: userId } = await users.create(person)
    const write = createChatWriter(
      sqlite,
      new ChatSearch(new SearchStore(storage), async () => undefined),
      { userId, isForked: isOrganised },
    )
    const chatIds: string[] = []
    while (chatIds.length < chats) {
      const end = Math.min(chats, chatIds.length + CHATS_PER_TRANSACTION)
      await storage.transaction(async () => {
        while (chatIds.length < end) chatIds.push(await write(chatIds.length, messagesPerChat))
      })
    }
    if (isOrganised) for (const mark of MARKS) sqlite.exec(mark)
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return { userId, chatIds }
  } finally {
    storage.close()
  }
}
