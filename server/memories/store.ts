import type { Memory } from '#contract/memories.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { toIndexText, toOwnerWord } from '../lib/words.ts'
import type { Storage } from '../storage/index.ts'

/** A memory with how well it fits a text: the smaller the distance the better. */
export interface MemoryHit extends Memory {
  readonly distance: number
}

const COLUMNS = ['id', 'user_id', 'content', 'created_at', 'updated_at'] as const

/** Each goes with its words. */
const REMOVED_AT_ONCE = 20

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** SQL on the table `memory` and its index. */
export function createMemoryStore(storage: Storage) {
  const { builder, sqlite } = storage
  const index = sqlite.prepare(
    'insert or replace into memory_search (rowid, owner, content) values (?, ?, ?)',
  )
  const find = sqlite.prepare<[string, number], MemoryHit>(
    'select m.id, m.user_id, m.content, m.created_at, m.updated_at, s.rank as distance ' +
      'from memory_search s cross join memory m on m.seq = s.rowid where s.memory_search match ? order by s.rank limit ?',
  )
  const removeSome = sqlite.prepare<[string]>(
    `delete from memory where seq in (select seq from memory where user_id = ? limit ${REMOVED_AT_ONCE})`,
  )
  const ofUser = (userId: string) =>
    builder.selectFrom('memory').select(COLUMNS).where('user_id', '=', userId)
  const indexRow = ({
    seq,
    user_id,
    content,
  }: {
    seq: number
    user_id: string
    content: string
  }): void => {
    index.run(seq, toOwnerWord(user_id), toIndexText(content))
  }
  const indexById = (id: string): void => {
    indexRow(
      storage.get(
        builder.selectFrom('memory').select(['seq', 'user_id', 'content']).where('id', '=', id),
      )!,
    )
  }

  return {
    /** Ids of all memories of a person, the oldest first. */
    ids: (userId: string): string[] =>
      storage
        .all(builder.selectFrom('memory').select('id').where('user_id', '=', userId).orderBy('seq'))
        .map(({ id }) => id),
    count: (userId: string): number =>
      storage.get(
        builder
          .selectFrom('memory')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId),
      )!.count,
    get: (userId: string, id: string): Memory | null =>
      storage.get(ofUser(userId).where('id', '=', id)) ?? null,
    find: (match: string, limit: number): MemoryHit[] => find.all(match, limit),
    insert: (userId: string, content: string): Memory => {
      const now = nowSeconds()
      const memory = { id: newId(), user_id: userId, content, created_at: now, updated_at: now }
      storage.transaction(() => {
        storage.run(builder.insertInto('memory').values(memory))
        indexById(memory.id)
      })
      return memory
    },
    update: (userId: string, id: string, content: string): boolean =>
      storage.transaction(() => {
        const changes = { content, updated_at: nowSeconds() }
        const isFound =
          storage.run(
            builder
              .updateTable('memory')
              .set(changes)
              .where('user_id', '=', userId)
              .where('id', '=', id),
          ) > 0
        if (isFound) indexById(id)
        return isFound
      }),
    remove: (userId: string, id: string): boolean =>
      storage.run(builder.deleteFrom('memory').where('user_id', '=', userId).where('id', '=', id)) >
      0,
    /** Removes a bounded number of them; false when none is left. */
    removeSome: (userId: string): boolean => removeSome.run(userId).changes > 0,
    /** Puts a memory into the index anew; one that is gone meanwhile is left out. */
    indexAgain: (id: string): void => {
      const row = storage.get(
        builder.selectFrom('memory').select(['seq', 'user_id', 'content']).where('id', '=', id),
      )
      if (row) indexRow(row)
    },
  }
}
