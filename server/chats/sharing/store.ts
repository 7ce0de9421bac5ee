import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { SharedChatTable } from '../../storage/tables/chats.ts'

export type SharedRow = Selectable<SharedChatTable>
/** A share without its content. */
export type ShareRow = Omit<SharedRow, 'snapshot' | 'mentions'>

const COLUMNS = [
  'id',
  'chat_id',
  'user_id',
  'is_open',
  'version',
  'created_at',
  'updated_at',
] as const

/** Content of share links, and of copies of chats. */
export class ShareStore {
  readonly #storage: Storage
  readonly #builder
  readonly #copyExpected
  readonly #whole
  readonly #insertPiece
  readonly #nextPiece
  readonly #otherPieces
  readonly #removePiece
  /** Number of current readers and writers of each version. */
  readonly #held = new Map<number, number>()

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#copyExpected = storage.prepare(
      'insert into expected_child (chat_id, child_id, parent_id) select @to, child_id, parent_id from expected_child where chat_id = @from',
    )
    this.#whole = storage
      .prepare<[string], string>('select snapshot from shared_chat where id = ?')
      .pluck()
    this.#insertPiece = storage.prepare<[string, number, string]>(
      'insert into shared_piece (chat_id, version, text) values (?, ?, ?)',
    )
    this.#nextPiece = storage.prepare<[string, number, number], { seq: number; text: string }>(
      'select seq, text from shared_piece where chat_id = ? and version = ? and seq > ? order by seq limit 1',
    )
    this.#otherPieces = storage.prepare<[string, number], { seq: number; version: number }>(
      'select seq, version from shared_piece where chat_id = ? and version <> ?',
    )
    this.#removePiece = storage.prepare<[number]>('delete from shared_piece where seq = ?')
  }

  /**
   * Yields the content of a share as JSON in pieces. Nothing of it is deleted before the last one
   * has been read.
   */
  async *pieces({ id, chat_id: chatId, version }: ShareRow): AsyncGenerator<string, void> {
    if (version === 0) {
      yield (await this.#whole.get(id)) ?? ''
      return
    }
    this.hold(version)
    try {
      for (
        let piece = await this.#nextPiece.get(chatId, version, 0);
        piece;
        piece = await this.#nextPiece.get(chatId, version, piece.seq)
      )
        yield piece.text
    } finally {
      this.release(version)
    }
  }

  /** Keeps the pieces of a version that is being written; must be released. */
  hold(version: number): void {
    this.#held.set(version, (this.#held.get(version) ?? 0) + 1)
  }

  release(version: number): void {
    const others = this.#held.get(version)! - 1
    if (others === 0) this.#held.delete(version)
    else this.#held.set(version, others)
  }

  async insertPiece(chatId: string, version: number, text: string): Promise<void> {
    await this.#insertPiece.run(chatId, version, text)
  }

  /**
   * Deletes pieces of other versions that are not being written or read, each in a step; the rest
   * is deleted by the next call.
   */
  async *removeOthers(chatId: string, version: number): AsyncGenerator<void, void> {
    for (const piece of await this.#otherPieces.all(chatId, version)) {
      if (!this.#held.has(piece.version)) await this.#removePiece.run(piece.seq)
      yield
    }
  }

  ofChat(chatId: string): Promise<ShareRow | undefined> {
    return this.#storage.get(this.#shares().select(COLUMNS).where('chat_id', '=', chatId))
  }

  get(id: string): Promise<ShareRow | undefined> {
    return this.#storage.get(this.#shares().select(COLUMNS).where('id', '=', id))
  }

  /** Returns shares of chats that are not in the trash, newest first. */
  ofUser(userId: string, limit: number): Promise<ShareRow[]> {
    return this.#storage.all(
      this.#shares()
        .innerJoin('chat', 'chat.id', 'shared_chat.chat_id')
        .select(COLUMNS.map((name) => `shared_chat.${name}` as const))
        .where('shared_chat.user_id', '=', userId)
        .where('chat.deleted_at', 'is', null)
        .orderBy('shared_chat.updated_at', 'desc')
        .limit(limit),
    )
  }

  /** Returns true if this id occurs in the content of a share, as a value or a part of a URL. */
  async mentions(id: string, text: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#shares()
          .select('id')
          .where('id', '=', id)
          .where((each) => {
            const isIn = (column: 'snapshot' | 'mentions') =>
              each(each.fn<number>('instr', [column, each.val(text)]), '>', 0)
            return each.or([isIn('mentions'), isIn('snapshot')])
          }),
      )) !== undefined
    )
  }

  async save(row: SharedRow): Promise<void> {
    const { snapshot, version, mentions, updated_at } = row
    await this.#storage.run(
      this.#builder
        .insertInto('shared_chat')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('chat_id').doUpdateSet({ snapshot, version, mentions, updated_at }),
        ),
    )
  }

  async setOpen(id: string, isOpen: boolean): Promise<void> {
    await this.#storage.update('shared_chat', id, { is_open: Number(isOpen) })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('shared_chat', id)
  }

  /** Copies the expected children of the messages of a chat. */
  async copyExpected(place: { from: string; to: string }): Promise<void> {
    await this.#copyExpected.run(place)
  }

  #shares() {
    return this.#builder.selectFrom('shared_chat')
  }
}
