import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { ProviderModel } from './provider.ts'

/** The models connections listed when they last answered, for the time in which they do not. */
export interface ModelsStore {
  read(record: Pick<ConnectionRecord, 'id' | 'url'>): ProviderModel[] | null
  write(record: Pick<ConnectionRecord, 'id' | 'url'>, models: readonly ProviderModel[]): void
  /** Forgets connections that are not among these. */
  keepOnly(ids: readonly string[]): void
}

export function createModelsStore({ builder, ...storage }: Storage): ModelsStore {
  const find = ({ id, url }: Pick<ConnectionRecord, 'id' | 'url'>): string | null => {
    const rows = builder
      .selectFrom('connection_models')
      .select('models')
      .where('connection_id', '=', id)
      .where('url', '=', url)
    return storage.get(rows)?.models ?? null
  }

  return {
    read(record) {
      const models = find(record)
      return models === null ? null : (JSON.parse(models) as ProviderModel[])
    },
    // Lists are asked for every half minute and seldom change.
    write(record, listed) {
      const models = JSON.stringify(listed)
      if (models === find(record)) return
      const row = { url: record.url, models, updated_at: nowSeconds() }
      storage.run(
        builder
          .insertInto('connection_models')
          .values({ connection_id: record.id, ...row })
          .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row)),
      )
    },
    keepOnly(ids) {
      storage.run(builder.deleteFrom('connection_models').where('connection_id', 'not in', ids))
    },
  }
}
