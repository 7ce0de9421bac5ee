import { notFound } from '../../lib/errors.ts'
import { inGroups } from '../../lib/timing/in-groups.ts'
import { readOfSeveral } from './read-of-several.ts'
import { PAGE_BYTES, RowsAhead } from './rows-ahead.ts'
import type { LinkRow, MessageRow } from '../chat-rows.ts'

/** Messages of a chat as of one moment, read on demand. */
export interface ChatSnapshot {
  /** Messages as of that moment, oldest first. */
  readonly seqs: readonly number[]
  links(seqs: readonly number[]): Promise<LinkRow[]>
  rows(seqs: readonly number[]): Promise<MessageRow[]>
  /** Yields messages in groups that are read quickly: few messages, and fewer if they are long. */
  pages(seqs: readonly number[]): AsyncGenerator<readonly number[]>
  /** Sets the final version of the message as shown from now on. */
  settle(row: MessageRow): void
  end(): void
}

/** A link with the size of its message in bytes. */
type SizedLink = LinkRow & { readonly bytes: number }

/** A link of one of several chats. */
export type LinkOfChat = SizedLink & { readonly chat_id: string }

interface ReadMessages {
  seqs(chatId: string): Promise<number[]>
  /** Returns the first links of a chat, at most `most`. */
  firstLinks(chatId: string, most: number): Promise<SizedLink[]>
  /** Returns links of several chats, at most `most`, ordered by the ids of the chats. */
  linksOfSeveral(chatIds: readonly string[], most: number): Promise<LinkOfChat[]>
  links(seqs: readonly number[]): Promise<SizedLink[]>
  rows(seqs: readonly number[]): Promise<MessageRow[]>
  /** Returns the sizes of messages in bytes; deleted ones have none. */
  sizes(seqs: readonly number[]): Promise<ReadonlyMap<number, number>>
  one(chatId: string, id: string): Promise<MessageRow | undefined>
}

/** Maximum number of messages of a chat whose links are read at once. */
const SHORT_CHAT = 500
type KeptRows = Map<number, MessageRow>

interface SnapshotParts {
  readonly kept: KeptRows
  readonly first: readonly SizedLink[] | null
  readonly rows: (seqs: readonly number[]) => Promise<MessageRow[]>
}

/** Returns the rows in the given order, with the former version of those that changed since. */
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
    // Only the deletion of the whole account deletes messages without notifying the snapshots.
    if (!row) throw notFound('This chat no longer exists.')
    return row
  })
}

/**
 * Reads of whole chats that let other requests run and yet show one moment. A read transaction
 * would need a dedicated connection and, for its whole duration, keep SQLite's log from being
 * emptied; instead, a writer that changes or deletes a message keeps the old version for the
 * pending reads. New messages do not belong to the moment and cannot disturb it.
 */
export class Snapshots {
  readonly #messages: ReadMessages
  readonly #page: number
  readonly #open = new Map<string, Set<KeptRows>>()

  /** `page` is the maximum number of messages of a page. */
  constructor(messages: ReadMessages, page: number) {
    this.#messages = messages
    this.#page = page
  }

  async open(chatId: string): Promise<ChatSnapshot> {
    const kept = this.#register(chatId)
    const first = await this.#messages.firstLinks(chatId, SHORT_CHAT + 1)
    return this.#create(chatId, {
      kept,
      first: first.length > SHORT_CHAT ? null : first,
      rows: (seqs) => this.#messages.rows(seqs),
    })
  }

  /**
   * Opens several chats that are read one after another. Statements read the links and the messages
   * of many short chats at once; a long chat is read by itself.
   */
  async openSeveral(chatIds: readonly string[]): Promise<ReadonlyMap<string, ChatSnapshot>> {
    const kept = new Map(chatIds.map((id) => [id, this.#register(id)]))
    const links = await readOfSeveral(chatIds, SHORT_CHAT, (some, most) =>
      this.#messages.linksOfSeveral(some, most),
    )
    const ahead = new RowsAhead(
      chatIds.flatMap((id) => links.get(id) ?? []),
      { most: this.#page, read: (seqs) => this.#messages.rows(seqs) },
    )
    const opened = new Map<string, ChatSnapshot>()
    for (const id of chatIds) {
      const first = links.get(id)
      const part = first
        ? { kept: kept.get(id)!, first, rows: (seqs: readonly number[]) => ahead.rows(seqs) }
        : null
      if (!part) this.#forget(id, kept.get(id)!)
      opened.set(id, part ? await this.#create(id, part) : await this.open(id))
    }
    return opened
  }

  #register(chatId: string): KeptRows {
    const kept: KeptRows = new Map()
    const others = this.#open.get(chatId) ?? new Set()
    this.#open.set(chatId, others.add(kept))
    return kept
  }

  #forget(chatId: string, kept: KeptRows): void {
    const others = this.#open.get(chatId)
    others?.delete(kept)
    if (others?.size === 0) this.#open.delete(chatId)
  }

  /** `first` holds all links of a short chat; null for a long one. */
  async #create(chatId: string, { kept, first, rows }: SnapshotParts): Promise<ChatSnapshot> {
    const sizes = new Map<number, number>()
    const known = first && new Map(first.map((row) => [row.seq, row]))
    const links = async (seqs: readonly number[]): Promise<LinkRow[]> => {
      const found = known
        ? seqs.flatMap((seq) => known.get(seq) ?? [])
        : await this.#messages.links(seqs)
      for (const { seq, bytes } of found) sizes.set(seq, bytes)
      return restore<LinkRow>(seqs, found, kept)
    }
    return {
      seqs: known ? [...known.keys()] : await this.#messages.seqs(chatId),
      links,
      rows: async (seqs) => restore(seqs, await rows(seqs), kept),
      pages: (seqs) => this.#pages(seqs, sizes),
      settle: (row) => void kept.set(row.seq, row),
      end: () => this.#forget(chatId, kept),
    }
  }

  /** Must be called before a message is changed or deleted. */
  async keep(chatId: string, id: string): Promise<void> {
    const reads = this.#open.get(chatId)
    const row = reads && (await this.#messages.one(chatId, id))
    if (!row) return
    for (const kept of reads) if (!kept.has(row.seq)) kept.set(row.seq, row)
  }

  /** Sizes that came with the links need not be read. */
  async *#pages(
    seqs: readonly number[],
    known: ReadonlyMap<number, number>,
  ): AsyncGenerator<readonly number[]> {
    for (const some of inGroups(seqs, this.#page)) {
      const sizes = some.every((seq) => known.has(seq)) ? known : await this.#messages.sizes(some)
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
