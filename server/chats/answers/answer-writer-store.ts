import { sql } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { MessageRow } from '../chat-rows.ts'

/** Returns the gateway in the name of a run, which is `<gateway>/<run>`. */
const replicaOf = (writer: string | null): string | null => writer?.split('/', 1)[0] ?? null

/**
 * Maps answers to the runs that write them, on the column `writer` of the table `message`. A run
 * whose name has been removed was ended by another gateway and writes nothing.
 */
export class AnswerWriters {
  readonly #storage: Storage
  readonly #bySeqs: (seqs: readonly number[]) => Promise<MessageRow[]>

  constructor(storage: Storage, bySeqs: (seqs: readonly number[]) => Promise<MessageRow[]>) {
    this.#storage = storage
    this.#bySeqs = bySeqs
  }

  /** Returns true if another gateway is writing an answer. */
  async hasOther(chatId: string, id: string, writer: string): Promise<boolean> {
    const row = await this.#storage.get(
      this.#storage.builder
        .selectFrom('message')
        .select('writer')
        .where('chat_id', '=', chatId)
        .where('id', '=', id)
        .where('running', '=', sql.lit(1)),
    )
    const other = replicaOf(row?.writer ?? null)
    return other !== null && other !== replicaOf(writer)
  }

  async claim(chatId: string, id: string, writer: string): Promise<void> {
    await this.#storage.update('message', { chat_id: chatId, id }, { writer })
  }

  /**
   * Keeps an answer, or releases it at its end; resolves with false if it no longer belongs to this
   * run.
   */
  async hold(
    chatId: string,
    id: string,
    { writer, isOver }: { readonly writer: string; readonly isOver: boolean },
  ): Promise<boolean> {
    const held = await this.#storage.update(
      'message',
      { chat_id: chatId, id, writer },
      { writer: isOver ? null : writer },
    )
    return held > 0
  }

  /** Returns the answers that were being written by stopped gateways. */
  async abandoned(isGone: (replica: string | null) => boolean): Promise<MessageRow[]> {
    const running = await this.#storage.all(
      this.#storage.builder
        .selectFrom('message')
        .select(['seq', 'writer'])
        .where('running', '=', sql.lit(1)),
    )
    return this.#bySeqs(
      running.filter(({ writer }) => isGone(replicaOf(writer))).map(({ seq }) => seq),
    )
  }

  /** Prevents the runs of these answers from writing. */
  async free(rows: readonly MessageRow[]): Promise<void> {
    for (const { seq } of rows) await this.#storage.update('message', { seq }, { writer: null })
  }
}
