import { mapInOrder } from '../lib/in-order.ts'
import type { ImportedModel } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { eachAwaitedInSteps, ONE_IN_A_STEP } from '../lib/turns.ts'
import type { Arena } from './arena.ts'
import { checkBase, checkId, idTaken } from './check-place.ts'
import type { ModelAccess } from './model-access.ts'
import type { StoredModel } from './stored-model.ts'
import type { ModelWriter, StoredModels } from './stored-models.ts'
import { toNew, type CheckAttached } from './workspace.ts'

export interface ImportDependencies {
  readonly stored: StoredModels
  readonly access: Access
  readonly modelAccess: ModelAccess
  /** The arena, whose ids no stored model may have. */
  readonly arena: Arena
  readonly checkAttached: CheckAttached
}

interface ImportOptions {
  /** True if stored models that are not imported are deleted. */
  readonly replacesAll: boolean
}

/** Models of other users belong to them: an import cannot take them over. */
async function toStored(
  { modelAccess, arena, checkAttached }: ImportDependencies,
  caller: Caller,
  input: ImportedModel,
  stored: Pick<StoredModels | ModelWriter, 'get'>,
): Promise<StoredModel> {
  checkId(input.id)
  if (arena.has(input.id)) throw idTaken()
  const known = await stored.get(input.id)
  if (known && !(await modelAccess.mayWrite(caller, known))) {
    throw forbidden(
      `The model ${JSON.stringify(input.id)} belongs to another user, so nothing was imported. Change its id.`,
    )
  }
  const model = toNew(caller, input)
  await checkAttached(caller.userId, model.meta['knowledge'], known?.meta['knowledge'])
  if (!known || known.base_model_id !== model.base_model_id) await checkBase(caller, model, stored)
  const { created_at = model.created_at, updated_at = nowSeconds() } = input
  return known
    ? { ...model, user_id: known.user_id, created_at: known.created_at, updated_at }
    : { ...model, created_at, updated_at }
}

/** Number of models written in one transaction, during which no other requests are served. */
const WRITTEN_AT_ONCE = 50

function* inParts<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += WRITTEN_AT_ONCE)
    yield values.slice(from, from + WRITTEN_AT_ONCE)
}

/**
 * Adds and updates models; of several with the same id the last one counts. All are checked before
 * the first is written, so that a refused one leaves everything unchanged. Works in steps, because
 * there may be thousands; each is checked again when it is written, because other changes may have
 * happened in between.
 */
export async function* importModels(
  dependencies: ImportDependencies,
  caller: Caller,
  inputs: readonly ImportedModel[],
  { replacesAll }: ImportOptions,
): AsyncGenerator<void, void> {
  const { stored, access } = dependencies
  const byId = new Map(inputs.map((input) => [input.id, input]))
  const imported = [...byId.values()]
  yield* eachAwaitedInSteps(
    imported,
    (input) => toStored(dependencies, caller, input, stored),
    ONE_IN_A_STEP,
  )
  const leaving = replacesAll ? stored.all().filter(({ id }) => !byId.has(id)) : []
  for (const some of inParts(leaving)) {
    await stored.change(async (writer) => {
      for (const { id } of some) {
        await writer.remove(id)
        await access.remove('model', id)
      }
    })
    yield
  }
  for (const some of inParts(imported)) {
    await stored.change(async (writer) => {
      const models = await mapInOrder(some, async (input) => ({
        input,
        model: await toStored(dependencies, caller, input, writer),
      }))
      for (const { input, model } of models) {
        await writer.put(model)
        await access.replace(caller, { type: 'model', id: model.id }, input)
      }
    })
    yield
  }
}
