import { isLongText } from '../../lib/text/index-text.ts'
import { toIndexText, toOwnerWord } from '../../lib/text/words.ts'
import type { ChatRow } from '../store.ts'
import type { MessageRow } from '../chat-rows.ts'
import type { SearchStore } from './store.ts'
import { findChats, type ChatHit } from './find-chats.ts'

/**
 * Full-text search of chats: written in the transaction of the indexed content, queried by the
 * search box.
 */
export class ChatSearch {
  readonly #store: SearchStore
  readonly #wakeBacklog: () => Promise<void>
  /** Marks messages that are indexed later, because they are too many for one transaction. */
  readonly backlog: SearchStore

  /** `wakeBacklog` is called within transactions. */
  constructor(store: SearchStore, wakeBacklog: () => Promise<void>) {
    this.#store = store
    this.backlog = store
    this.#wakeBacklog = wakeBacklog
  }

  /**
   * Indexes a message in its current state; an answer still being written is indexed when it is
   * finished, and a long text by the backlog.
   */
  async indexMessage(
    message: Pick<MessageRow, 'seq' | 'content' | 'running'>,
    userId: string,
  ): Promise<void> {
    if (message.running === 1) return
    if (isLongText(message.content)) {
      await this.#store.noteChangedTexts([message.seq])
      await this.#wakeBacklog()
    } else if (message.content.trim() === '') await this.#store.forgetMessage(message.seq)
    else
      await this.#store.indexMessage(message.seq, toOwnerWord(userId), toIndexText(message.content))
  }

  /** Same as `indexMessage`, for several messages: as many as one statement takes at a time. */
  async indexMessages(
    messages: readonly Pick<MessageRow, 'seq' | 'content' | 'running'>[],
    userId: string,
  ): Promise<void> {
    const isPlain = ({ running, content }: Pick<MessageRow, 'content' | 'running'>): boolean =>
      running !== 1 && !isLongText(content) && content.trim() !== ''
    const owner = toOwnerWord(userId)
    await this.#store.indexMessages(
      messages
        .filter(isPlain)
        .map(({ seq, content }) => ({ seq, owner, words: toIndexText(content) })),
    )
    for (const message of messages) if (!isPlain(message)) await this.indexMessage(message, userId)
  }

  /** Adds the extracted words of a long text to the index. */
  async indexWords({ seq }: Pick<MessageRow, 'seq'>, userId: string, words: string): Promise<void> {
    await this.#store.indexMessage(seq, toOwnerWord(userId), words)
  }

  async indexTitle(chat: Pick<ChatRow, 'seq' | 'title'>, userId: string): Promise<void> {
    await this.#store.indexTitle(chat.seq, toOwnerWord(userId), toIndexText(chat.title))
  }

  /** Returns one page of hits, in short steps. */
  find(userId: string, options: { text: string; page: number }): AsyncGenerator<void, ChatHit[]> {
    return findChats(this.#store, userId, options)
  }
}
