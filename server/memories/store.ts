import { sql } from 'kysely'
import type { Memory } from '#contract/memories.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import { toIndexText, toOwnerWord } from '../lib/text/words.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'

/** A memory with its match for a text: the smaller the distance, the better. */
export interface MemoryHit extends Memory {
  readonly distance: number
}

const COLUMNS = ['id', 'user_id', 'content', 'created_at', 'updated_at'] as const

/** Index terms are deleted with each memory. */
const REMOVED_AT_ONCE = 20

/** SQL on the table `memory` and its index. */
export class MemoryStore {
  readonly #storage: Storage
  readonly #index
  readonly #find
  readonly #removeSome

  constructor(storage: Storage) {
    this.#storage = storage
    this.#index = storage.prepare(
      storage.dialect.putWords({
        index: 'memory_search',
        columns: ['owner', 'content'],
        rows: "select value ->> '$.seq', value ->> '$.owner', value ->> '$.content' from json_each(?)",
      }),
    )
    const { matches, rank } = storage.dialect
    this.#find = storage.prepare<[{ match: string; limit: number }], MemoryHit>(
      `select m.id, m.user_id, m.content, m.created_at, m.updated_at, ${rank('s', '@match')} as distance ` +
        `from memory_search s cross join memory m where m.seq = s.rowid and ${matches('s', 'memory_search', '@match')} ` +
        'order by distance limit @limit',
    )
    this.#removeSome = storage.prepare<[string]>(
      `delete from memory where seq in (select seq from memory where user_id = ? limit ${REMOVED_AT_ONCE})`,
    )
  }

  /** Ids of all memories of a user, oldest first. */
  ids(userId: string): Promise<SizedId[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('memory')
        .select(['id', sql<number>`octet_length(content)`.as('bytes')])
        .where('user_id', '=', userId)
        .orderBy('seq'),
    )
  }

  count(userId: string): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('memory').where('user_id', '=', userId),
    )
  }

  async get(userId: string, id: string): Promise<Memory | null> {
    const ofUser = this.#storage.builder.selectFrom('memory').where('user_id', '=', userId)
    return (await this.#storage.get(ofUser.select(COLUMNS).where('id', '=', id))) ?? null
  }

  /** In any order; those deleted meanwhile are missing. */
  several(userId: string, ids: readonly string[]): Promise<Memory[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('memory')
        .select(COLUMNS)
        .where('user_id', '=', userId)
        .where('id', 'in', among(ids)),
    )
  }

  find(match: string, limit: number): Promise<MemoryHit[]> {
    return this.#find.all({ match, limit })
  }

  async insert(userId: string, content: string): Promise<Memory> {
    const now = nowSeconds()
    const memory = { id: newId(), user_id: userId, content, created_at: now, updated_at: now }
    await this.#storage.transaction(async () => {
      await this.#storage.insert('memory', memory)
      await this.indexAgain([memory.id])
    })
    return memory
  }

  update(userId: string, id: string, content: string): Promise<boolean> {
    return this.#storage.transaction(async () => {
      const changes = { content, updated_at: nowSeconds() }
      const isFound = (await this.#storage.update('memory', { user_id: userId, id }, changes)) > 0
      if (isFound) await this.indexAgain([id])
      return isFound
    })
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.#storage.remove('memory', { user_id: userId, id })) > 0
  }

  /** Removes a limited number of them; resolves with false if none is left. */
  async removeSome(userId: string): Promise<boolean> {
    return (await this.#removeSome.run(userId)).changes > 0
  }

  /** Indexes memories again; those that were deleted meanwhile are left out. */
  async indexAgain(ids: readonly string[]): Promise<void> {
    const rows = await this.#storage.all(
      this.#storage.builder
        .selectFrom('memory')
        .select(['seq', 'user_id', 'content'])
        .where('id', 'in', among(ids)),
    )
    const words = rows.map(({ seq, user_id, content }) => ({
      seq,
      owner: toOwnerWord(user_id),
      content: toIndexText(content),
    }))
    if (words.length > 0) await this.#index.run(JSON.stringify(words))
  }
}
