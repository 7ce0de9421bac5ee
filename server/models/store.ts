import type { Storage } from '../storage/index.ts'
import type { ModelsTables } from '../storage/tables/models.ts'
import type { Fields, StoredModel } from './stored-models.ts'

const toModel = (row: ModelsTables['model']): StoredModel => ({
  ...row,
  params: JSON.parse(row.params) as Fields,
  meta: JSON.parse(row.meta) as Fields,
  is_active: row.is_active === 1,
})

/** SQL on the table `model`. */
export function createModelStore(storage: Storage) {
  const { builder } = storage
  return {
    list: (): StoredModel[] =>
      storage
        .all(builder.selectFrom('model').selectAll().orderBy('created_at').orderBy('id'))
        .map(toModel),
    put: ({ id, ...model }: StoredModel): void => {
      const columns = {
        ...model,
        params: JSON.stringify(model.params),
        meta: JSON.stringify(model.meta),
        is_active: model.is_active ? 1 : 0,
      }
      storage.run(
        builder
          .insertInto('model')
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
      )
    },
    remove: (id: string): void => {
      storage.run(builder.deleteFrom('model').where('id', '=', id))
    },
  }
}
