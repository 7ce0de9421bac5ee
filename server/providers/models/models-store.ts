import { nowSeconds } from '../../lib/ids.ts'
import type { Storage } from '../../storage/index.ts'
import type { ConnectionRecord } from '../connections/connection-record.ts'
import type { ProviderModel } from '../provider.ts'

type Address = Pick<ConnectionRecord, 'id' | 'url'>

/** Stores the models connections listed when they last responded, for use while they do not. */
export class ModelsStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async read(address: Address): Promise<ProviderModel[] | null> {
    const models = await this.#find(address)
    return models === null ? null : (JSON.parse(models) as ProviderModel[])
  }

  /** Writes only changed lists: they are requested every half minute and seldom differ. */
  async write(address: Address, listed: readonly ProviderModel[]): Promise<void> {
    const models = JSON.stringify(listed)
    if (models === (await this.#find(address))) return
    const row = { url: address.url, models, updated_at: nowSeconds() }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('connection_models')
        .values({ connection_id: address.id, ...row })
        .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row)),
    )
  }

  /** Deletes the lists of connections that are not among these. */
  async keepOnly(ids: readonly string[]): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.run(
      builder.deleteFrom('connection_models').where('connection_id', 'not in', ids),
    )
  }

  async #find({ id, url }: Address): Promise<string | null> {
    const rows = this.#storage.builder
      .selectFrom('connection_models')
      .select('models')
      .where('connection_id', '=', id)
      .where('url', '=', url)
    return (await this.#storage.get(rows))?.models ?? null
  }
}
