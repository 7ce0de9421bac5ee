import type { Storage } from '../storage/index.ts'
import type { ModelsTables } from '../storage/tables/models.ts'
import type { Fields, StoredModel } from './stored-model.ts'

const toModel = (row: ModelsTables['model']): StoredModel => ({
  ...row,
  params: JSON.parse(row.params) as Fields,
  meta: JSON.parse(row.meta) as Fields,
  is_active: row.is_active === 1,
})

/** SQL on the table `model`. */
export class ModelStore {
  readonly #storage: Storage
  readonly #put

  constructor(storage: Storage) {
    this.#storage = storage
    this.#put = storage.prepare(
      'insert into model (id, user_id, base_model_id, name, params, meta, is_active, created_at, updated_at) ' +
        'values (@id, @user_id, @base_model_id, @name, @params, @meta, @is_active, @created_at, @updated_at) ' +
        'on conflict (id) do update set user_id = excluded.user_id, base_model_id = excluded.base_model_id, name = excluded.name, ' +
        'params = excluded.params, meta = excluded.meta, is_active = excluded.is_active, ' +
        'created_at = excluded.created_at, updated_at = excluded.updated_at',
    )
  }

  async list(): Promise<StoredModel[]> {
    return (await this.#storage.all(this.#rows().orderBy('created_at').orderBy('id'))).map(toModel)
  }

  async get(id: string): Promise<StoredModel | undefined> {
    const row = await this.#storage.get(this.#rows().where('id', '=', id))
    return row && toModel(row)
  }

  /** Uses a prepared statement, because an import stores many models. Runs inside a transaction. */
  async put(model: StoredModel): Promise<void> {
    await this.#put.run({
      ...model,
      params: JSON.stringify(model.params),
      meta: JSON.stringify(model.meta),
      is_active: model.is_active ? 1 : 0,
    })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('model', id)
  }

  #rows() {
    return this.#storage.builder.selectFrom('model').selectAll()
  }
}
