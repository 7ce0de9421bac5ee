import { notFound } from '../lib/errors.ts'
import type { MessageRow } from './store.ts'

/** Messages read in one go: few enough that even long ones do not take long. */
const PAGE = 32

interface Snapshot {
  /** Everything up to this one has been read. */
  readTo: number
  /** Messages that changed before they were read, as they were. */
  readonly kept: Map<number, MessageRow>
}

interface ReadMessages {
  seqs(chatId: string): number[]
  page(seqs: readonly number[]): MessageRow[]
  one(chatId: string, id: string): MessageRow | undefined
}

/**
 * Reads of whole chats that leave room for others and yet show one moment. A read transaction would need a connection of
 * its own and, for as long as it lasts, keep SQLite's log from being emptied; instead, whoever changes or deletes a message
 * keeps it for the reads that have not come to it yet. New messages do not belong to the moment and cannot disturb it.
 */
export function createSnapshots(messages: ReadMessages) {
  const open = new Map<string, Set<Snapshot>>()

  const begin = (chatId: string): Snapshot => {
    const snapshot: Snapshot = { readTo: 0, kept: new Map() }
    open.set(chatId, (open.get(chatId) ?? new Set()).add(snapshot))
    return snapshot
  }
  const end = (chatId: string, snapshot: Snapshot): void => {
    const others = open.get(chatId)!
    others.delete(snapshot)
    if (others.size === 0) open.delete(chatId)
  }
  const readPage = (seqs: readonly number[], { kept }: Snapshot): MessageRow[] => {
    const rows = messages.page(seqs)
    if (kept.size === 0 && rows.length === seqs.length) return rows
    const bySeq = new Map(rows.map((row) => [row.seq, row]))
    return seqs.map((seq) => {
      const row = kept.get(seq) ?? bySeq.get(seq)
      // Only the end of the whole account deletes messages without a word.
      if (!row) throw notFound('This chat does not exist any more.')
      return row
    })
  }

  return {
    *read(chatId: string): Generator<MessageRow[]> {
      const snapshot = begin(chatId)
      try {
        const seqs = messages.seqs(chatId)
        for (let from = 0; from < seqs.length; from += PAGE) {
          const wanted = seqs.slice(from, from + PAGE)
          const rows = readPage(wanted, snapshot)
          snapshot.readTo = wanted.at(-1)!
          yield rows
        }
      } finally {
        end(chatId, snapshot)
      }
    },
    /** Called before a message is changed or deleted. */
    keep(chatId: string, id: string): void {
      const snapshots = open.get(chatId)
      const row = snapshots && messages.one(chatId, id)
      if (!row) return
      for (const { readTo, kept } of snapshots) if (row.seq > readTo && !kept.has(row.seq)) kept.set(row.seq, row)
    },
  }
}
