import type { MessageRow } from '../chat-rows.ts'

/** Maximum number of bytes of one page after its first message. */
export const PAGE_BYTES = 1024 * 1024

interface SizedSeq {
  readonly seq: number
  readonly bytes: number
}

interface RowsAheadParts {
  /** Maximum number of messages that one statement reads. */
  readonly most: number
  readonly read: (seqs: readonly number[]) => Promise<MessageRow[]>
}

/**
 * Messages of several chats that are read in a known order. A statement that reads messages also
 * reads those that follow, up to a page; only this page is held in memory.
 */
export class RowsAhead {
  readonly #order: readonly SizedSeq[]
  readonly #places: ReadonlyMap<number, number>
  readonly #parts: RowsAheadParts
  #found = new Map<number, MessageRow>()

  constructor(order: readonly SizedSeq[], parts: RowsAheadParts) {
    this.#order = order
    this.#places = new Map(order.map(({ seq }, place) => [seq, place]))
    this.#parts = parts
  }

  async rows(seqs: readonly number[]): Promise<MessageRow[]> {
    if (!seqs.every((seq) => this.#found.has(seq))) {
      const rows = await this.#parts.read([...seqs, ...this.#following(seqs)])
      this.#found = new Map(rows.map((row) => [row.seq, row]))
    }
    const rows = seqs.flatMap((seq) => this.#found.get(seq) ?? [])
    for (const seq of seqs) this.#found.delete(seq)
    return rows
  }

  /** Returns the messages behind these that fit into the same page. */
  #following(seqs: readonly number[]): number[] {
    const last = Math.max(...seqs.map((seq) => this.#places.get(seq) ?? -1))
    let room = PAGE_BYTES
    for (const seq of seqs) room -= this.#order[this.#places.get(seq) ?? -1]?.bytes ?? 0
    const following: number[] = []
    for (const { seq, bytes } of this.#order.slice(last + 1, last + 1 + this.#parts.most)) {
      room -= bytes
      if (room < 0 || seqs.length + following.length >= this.#parts.most) break
      following.push(seq)
    }
    return following
  }
}
