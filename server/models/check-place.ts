import { MODEL_ID_LENGTH } from '#contract/models.ts'
import { badRequest, forbidden, type ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { StoredModel } from './stored-model.ts'
import type { ModelWriter, StoredModels } from './stored-models.ts'

export const idTaken = (): ServiceError =>
  badRequest('There is already a model with this id. Choose another one.', {
    code: 'model_id_taken',
  })

/** Throws 400 for an id that cannot be used in URLs or displayed. */
export function checkId(id: string): void {
  if (id.length > MODEL_ID_LENGTH)
    throw badRequest(`The id of a model may have ${MODEL_ID_LENGTH} characters.`, {
      code: 'model_id_too_long',
    })
  if (id.trim() !== id || /\p{C}/u.test(id))
    throw badRequest('The id of a model may not contain control characters or spaces at its ends.')
}

/**
 * Only administrators may change models of connections, and a workspace model is based on one of
 * these, not on another workspace model. Must be called with the writer of the transaction that
 * stores the model.
 */
export async function checkBase(
  caller: Caller,
  { id, base_model_id }: Pick<StoredModel, 'id' | 'base_model_id'>,
  stored: Pick<StoredModels | ModelWriter, 'get'>,
): Promise<void> {
  if (base_model_id === null) {
    if (caller.role !== 'admin')
      throw forbidden(
        'Choose a base model. Only administrators can change models of connections.',
        { code: 'not_permitted' },
      )
    return
  }
  if (base_model_id === id || (await stored.get(base_model_id))?.base_model_id) {
    throw badRequest('The base of a model must be a model of a connection.', {
      code: 'invalid_base_model',
    })
  }
}
