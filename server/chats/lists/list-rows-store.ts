import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, type ListRow } from '../store.ts'

const SELECTED = LIST_COLUMNS.join(', ')
const IS_LISTED = 'user_id = ? and deleted_at is null and archived = 0'

/** List entries of chats, in the order of their ids. */
export class ListRows {
  readonly #byId
  readonly #byIds
  readonly #at
  readonly #atMany

  constructor(storage: Storage) {
    this.#byId = storage.prepare<[string], ListRow>(
      `select ${SELECTED} from chat where id = ? and deleted_at is null`,
    )
    this.#byIds = storage.prepare<[string], ListRow>(
      `select ${SELECTED} from chat where id in (select value from json_each(?)) and deleted_at is null`,
    )
    this.#at = storage.prepare<[number, string], ListRow>(
      `select ${SELECTED} from chat where seq = ? and ${IS_LISTED}`,
    )
    this.#atMany = storage.prepare<[string, string], ListRow & { readonly seq: number }>(
      `select seq, ${SELECTED} from chat where seq in (select cast(value as bigint) from json_each(?)) and ${IS_LISTED}`,
    )
  }

  /** Omits chats deleted meanwhile. */
  async several(ids: readonly string[]): Promise<ListRow[]> {
    if (ids.length === 1) return [await this.#byId.get(ids[0]!)].filter((row) => row !== undefined)
    const rows = await this.#byIds.all(JSON.stringify(ids))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /** Returns the user's chats with these `seq`s; undefined for one that is not in the list. */
  async at(seqs: readonly number[], userId: string): Promise<(ListRow | undefined)[]> {
    if (seqs.length === 1) return [await this.#at.get(seqs[0]!, userId)]
    const rows = await this.#atMany.all(JSON.stringify(seqs), userId)
    const bySeq = new Map(rows.map((row) => [row.seq, row]))
    return seqs.map((seq) => bySeq.get(seq))
  }
}
