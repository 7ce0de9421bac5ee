import { isLongText } from '../../lib/index-text.ts'
import { toIndexText, toOwnerWord } from '../../lib/words.ts'
import type { ChatRow, MessageRow } from '../store.ts'
import type { SearchStore } from './store.ts'
import { findChats, type ChatHit } from './find-chats.ts'

/**
 * The full-text side of chats: written in the transaction of what it indexes, asked by the search
 * box.
 */
export interface ChatSearch {
  /**
   * Indexes a message as it stands; an answer still being written waits until it is finished, and a
   * long text for the backlog.
   */
  indexMessage(message: Pick<MessageRow, 'seq' | 'content' | 'running'>, userId: string): void
  /** Puts the words of a long text into the index, which were found before. */
  indexWords(message: Pick<MessageRow, 'seq'>, userId: string, words: string): void
  indexTitle(chat: Pick<ChatRow, 'seq' | 'title'>, userId: string): void
  /** Notes that messages added to the chat from now on are indexed by the backlog. */
  indexLater(chatId: string): void
  /** Notes that messages whose text changed are indexed by the backlog. */
  indexMessagesLater(seqs: readonly number[]): void
  /** One page of hits, in short steps. */
  find(userId: string, options: { text: string; page: number }): Generator<void, ChatHit[]>
}

/** `wakeBacklog` is called within transactions. */
export function createChatSearch(store: SearchStore, wakeBacklog: () => void): ChatSearch {
  return {
    indexMessage: (message, userId) => {
      if (message.running === 1) return
      if (isLongText(message.content)) {
        store.noteChangedTexts([message.seq])
        wakeBacklog()
      } else if (message.content.trim() === '') store.forgetMessage(message.seq)
      else store.indexMessage(message.seq, toOwnerWord(userId), toIndexText(message.content))
    },
    indexWords: ({ seq }, userId, words) => store.indexMessage(seq, toOwnerWord(userId), words),
    indexTitle: (chat, userId) =>
      store.indexTitle(chat.seq, toOwnerWord(userId), toIndexText(chat.title)),
    indexLater: (chatId) => store.addToBacklog(chatId),
    indexMessagesLater: (seqs) => store.noteChangedTexts(seqs),
    find: (userId, options) => findChats(store, userId, options),
  }
}
