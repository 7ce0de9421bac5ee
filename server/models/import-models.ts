import type { ImportedModel } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { checkBase, checkId, idTaken } from './check-place.ts'
import type { ModelAccess } from './model-access.ts'
import type { StoredModel, StoredModels } from './stored-models.ts'
import { toNew, type CheckAttached } from './workspace.ts'

export interface ImportDependencies {
  readonly stored: StoredModels
  readonly access: Access
  readonly modelAccess: ModelAccess
  readonly isReserved: (id: string) => boolean
  readonly checkAttached: CheckAttached
}

interface ImportOptions {
  /** Whether stored models that are not imported go. */
  readonly replacesAll: boolean
}

/** Models of others are theirs: an import cannot take them over. */
function toStored(
  { stored, modelAccess, isReserved, checkAttached }: ImportDependencies,
  caller: Caller,
  input: ImportedModel,
): StoredModel {
  checkId(input.id)
  if (isReserved(input.id)) throw idTaken()
  const known = stored.get(input.id)
  if (known && !modelAccess.mayWrite(caller, known)) {
    throw forbidden(
      `The model ${JSON.stringify(input.id)} belongs to somebody else, so nothing was imported. Change its id.`,
    )
  }
  const model = toNew(caller, input)
  checkAttached(caller.userId, model.meta['knowledge'], known?.meta['knowledge'])
  if (!known || known.base_model_id !== model.base_model_id) checkBase(caller, model, stored)
  const { created_at = model.created_at, updated_at = nowSeconds() } = input
  return known
    ? { ...model, user_id: known.user_id, created_at: known.created_at, updated_at }
    : { ...model, created_at, updated_at }
}

/** Adds and updates models, all of them or none; of several with one id the last counts. */
export function importModels(
  dependencies: ImportDependencies,
  caller: Caller,
  inputs: readonly ImportedModel[],
  { replacesAll }: ImportOptions,
): void {
  const { stored, access } = dependencies
  const byId = new Map(inputs.map((input) => [input.id, input]))
  const models = [...byId.values()].map((input) => ({
    input,
    model: toStored(dependencies, caller, input),
  }))
  const leaving = replacesAll ? stored.all().filter(({ id }) => !byId.has(id)) : []
  stored.change((writer) => {
    for (const { id } of leaving) {
      writer.remove(id)
      access.remove('model', id)
    }
    for (const { input, model } of models) {
      writer.put(model)
      access.replace(caller, { type: 'model', id: model.id }, input)
    }
  })
}
