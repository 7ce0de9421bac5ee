import { sql } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import { isLike, toPattern } from '../../storage/is-like.ts'
import { LIST_COLUMNS, UNFINISHED, type ListRow } from '../store.ts'

export type TrashRow = ListRow & { readonly deleted_at: number }

const PAGE = 60
/** Number of rows marked as expired in one statement. */
const STEP = 500

/** SQL on the items in the trash. */
export class TrashStore {
  readonly #storage: Storage
  readonly #builder
  readonly #deletions
  readonly #giveUp
  readonly #giveUpUnfinished
  readonly #giveUpBefore
  readonly #giveUpFoldersBefore
  readonly #giveUpFolders
  readonly #owners
  readonly #giveUpSome

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#deletions = storage.deletions
    this.#giveUp = storage.prepare('update chat set deleted_at = 0 where id = ?')
    this.#giveUpUnfinished = storage
      .prepare<[], string>(
        `update chat set deleted_at = 0 where deleted_at = ${UNFINISHED} returning user_id`,
      )
      .pluck()
    this.#giveUpBefore = storage.prepare<[number]>(
      `update chat set deleted_at = 0 where seq in (select seq from chat where deleted_at > 0 and deleted_at < ? limit ${STEP})`,
    )
    this.#giveUpFoldersBefore = storage.prepare<[number]>(
      `update folder set deleted_at = 0 where rowid in (select rowid from folder where deleted_at > 0 and deleted_at < ? limit ${STEP})`,
    )
    this.#giveUpFolders = storage.prepare<[string]>(
      `update folder set deleted_at = 0 where rowid in (select rowid from folder where user_id = ? and deleted_at > 0 limit ${STEP})`,
    )
    this.#owners = storage
      .prepare<[], string>(
        'select id from "user" owner where exists (select 1 from chat where user_id = owner.id and deleted_at = 0) ' +
          'or id in (select user_id from folder where deleted_at = 0)',
      )
      .pluck()
    this.#giveUpSome = storage.prepare<[string]>(
      `update chat set deleted_at = 0 where seq in (select seq from chat where user_id = ? and deleted_at > 0 limit ${STEP})`,
    )
  }

  /** Returns chats of a user moved to the trash at `since` or later, the most recent first. */
  async page(
    userId: string,
    { since, page, query }: { since: number; page: number; query?: string },
  ): Promise<TrashRow[]> {
    let chats = this.#builder
      .selectFrom('chat')
      .select([...LIST_COLUMNS, sql<number>`deleted_at`.as('deleted_at')])
      .where('user_id', '=', userId)
      .where('deleted_at', '>=', since)
    if (query) chats = chats.where(isLike(this.#storage.dialect, ['title'], toPattern(query)))
    return this.#storage.all(
      chats
        .orderBy('deleted_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(PAGE)
        .offset((page - 1) * PAGE),
    )
  }

  /** Marks a chat in the trash as expired. */
  async giveUp(chatId: string): Promise<void> {
    await this.#giveUp.run(chatId)
  }

  /**
   * Marks the chats as expired that a former process had not stored completely; returns their
   * owners.
   */
  async giveUpUnfinished(): Promise<ReadonlySet<string>> {
    return new Set(await this.#giveUpUnfinished.all())
  }

  /**
   * Marks a limited number of chats and folders in a user's trash as expired; resolves with false
   * if there are none.
   */
  async giveUpSome(userId: string): Promise<boolean> {
    return (
      (await this.#giveUpSome.run(userId)).changes +
        (await this.#giveUpFolders.run(userId)).changes >
      0
    )
  }

  /** Same as `giveUpSome`, for all users and what was moved to the trash before a time. */
  async giveUpSomeBefore(time: number): Promise<boolean> {
    return (
      (await this.#giveUpBefore.run(time)).changes +
        (await this.#giveUpFoldersBefore.run(time)).changes >
      0
    )
  }

  /** Returns the owners of expired chats and folders. */
  owners(): Promise<string[]> {
    return this.#owners.all()
  }

  /** Starts deleting the rows of all expired chats and folders of a user. */
  async eraseGivenUp(userId: string): Promise<void> {
    await this.#deletions.begin('chats', userId)
  }
}
