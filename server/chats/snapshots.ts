import { notFound } from '../lib/errors.ts'
import type { LinkRow, MessageRow } from './chat-rows.ts'

/** The messages of a chat as they were at one moment, read when they are needed. */
export interface ChatSnapshot {
  /** The messages of the moment, oldest first. */
  readonly seqs: readonly number[]
  links(seqs: readonly number[]): Promise<LinkRow[]>
  rows(seqs: readonly number[]): Promise<MessageRow[]>
  /**
   * Messages in groups that are read quickly: of few messages, and of fewer where they are long.
   */
  pages(seqs: readonly number[]): AsyncGenerator<readonly number[]>
  /** From now on this is how the message is shown. */
  settle(row: MessageRow): void
  end(): void
}

interface ReadMessages {
  seqs(chatId: string): Promise<number[]>
  links(seqs: readonly number[]): Promise<LinkRow[]>
  rows(seqs: readonly number[]): Promise<MessageRow[]>
  /** Bytes of messages; what is gone has none. */
  sizes(seqs: readonly number[]): Promise<ReadonlyMap<number, number>>
  one(chatId: string, id: string): Promise<MessageRow | undefined>
}

const PAGE = 64
/** Bytes of one page, beside the first message of it. */
const PAGE_BYTES = 1024 * 1024

type KeptRows = Map<number, MessageRow>

/** Puts rows into the order asked for, those that changed since as they were. */
function restore<Row extends LinkRow>(
  seqs: readonly number[],
  found: Row[],
  kept: ReadonlyMap<number, Row>,
): Row[] {
  if (
    kept.size === 0 &&
    found.length === seqs.length &&
    found.every((row, index) => row.seq === seqs[index])
  )
    return found
  const bySeq = new Map(found.map((row) => [row.seq, row]))
  return seqs.map((seq) => {
    const row = kept.get(seq) ?? bySeq.get(seq)
    // Only the end of the whole account deletes messages without a word.
    if (!row) throw notFound('This chat no longer exists.')
    return row
  })
}

/**
 * Reads of whole chats that leave room for others and yet show one moment. A read transaction would
 * need a connection of its own and, for as long as it lasts, keep SQLite's log from being emptied;
 * instead, whoever changes or deletes a message keeps it for the reads under way. New messages do
 * not belong to the moment and cannot disturb it.
 */
export class Snapshots {
  readonly #messages: ReadMessages
  readonly #open = new Map<string, Set<KeptRows>>()

  constructor(messages: ReadMessages) {
    this.#messages = messages
  }

  async open(chatId: string): Promise<ChatSnapshot> {
    const kept: KeptRows = new Map()
    const others = this.#open.get(chatId) ?? new Set()
    this.#open.set(chatId, others.add(kept))
    return {
      seqs: await this.#messages.seqs(chatId),
      links: async (seqs) => restore<LinkRow>(seqs, await this.#messages.links(seqs), kept),
      rows: async (seqs) => restore(seqs, await this.#messages.rows(seqs), kept),
      pages: (seqs) => this.#pages(seqs),
      settle: (row) => void kept.set(row.seq, row),
      end: () => {
        others.delete(kept)
        if (others.size === 0 && this.#open.get(chatId) === others) this.#open.delete(chatId)
      },
    }
  }

  /** Called before a message is changed or deleted. */
  async keep(chatId: string, id: string): Promise<void> {
    const reads = this.#open.get(chatId)
    const row = reads && (await this.#messages.one(chatId, id))
    if (!row) return
    for (const kept of reads) if (!kept.has(row.seq)) kept.set(row.seq, row)
  }

  async *#pages(seqs: readonly number[]): AsyncGenerator<readonly number[]> {
    for (let from = 0; from < seqs.length; from += PAGE) {
      const some = seqs.slice(from, from + PAGE)
      const sizes = await this.#messages.sizes(some)
      let [page, room]: [number[], number] = [[], PAGE_BYTES]
      for (const seq of some) {
        const bytes = sizes.get(seq) ?? 0
        if (page.length > 0 && bytes > room) {
          yield page
          ;[page, room] = [[], PAGE_BYTES]
        }
        page.push(seq)
        room -= bytes
      }
      yield page
    }
  }
}
