import type { Access } from '../access/index.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { KnownModel } from './catalogue.ts'
import { isHidden, toResource, type StoredModel } from './stored-models.ts'

/** Who may use, read and change which model (decisions §4, Model access). */
export interface ModelAccess {
  /**
   * Whether somebody may converse with a model. Grants decide, never what a model says about
   * itself.
   */
  mayUse(caller: Caller, model: KnownModel): boolean
  mayRead(caller: Caller, row: StoredModel): boolean
  mayWrite(caller: Caller, row: StoredModel): boolean
  /**
   * The stored model, if the caller may change it: 404 when it is missing or foreign, 403 when it
   * may only be used.
   */
  requireWritable(caller: Caller, row: StoredModel | undefined): StoredModel
}

interface ModelAccessDependencies {
  readonly access: Pick<Access, 'allows' | 'grantsOf'>
  readonly settings: ModelsSettings
}

export const NO_MODEL = 'Model not found'

export function createModelAccess({ access, settings }: ModelAccessDependencies): ModelAccess {
  const mayRead = (caller: Caller, row: StoredModel): boolean =>
    access.allows(caller, toResource(row), 'read')
  const mayWrite = (caller: Caller, row: StoredModel): boolean =>
    access.allows(caller, toResource(row), 'write')
  /** A model that was shared with some is not opened to all others by its connection. */
  const isShared = (row: StoredModel | null): boolean =>
    row !== null && access.grantsOf('model', row.id).length > 0

  function mayUseOffered(caller: Caller, { offered, row, base }: KnownModel): boolean {
    const { isForEverybody } = offered
    if (offered.provider.kind === 'guide') return true
    const override = row?.base_model_id ? base : row
    if (override !== null && mayRead(caller, override)) return true
    return isForEverybody === true && !isShared(override)
  }

  return {
    mayUse(caller, model) {
      if (caller.role === 'admin') return true
      if (isHidden(model.row)) return false
      if (settings.get('BYPASS_MODEL_ACCESS_CONTROL')) return true
      const { row } = model
      if (row?.base_model_id && !mayRead(caller, row)) return false
      return mayUseOffered(caller, model)
    },
    mayRead,
    mayWrite,
    requireWritable(caller, row) {
      if (!row || !mayRead(caller, row)) throw notFound(NO_MODEL, { code: 'model_not_found' })
      if (!mayWrite(caller, row))
        throw forbidden('You may use this model, but not change it. Ask its owner.', {
          code: 'not_permitted',
        })
      return row
    },
  }
}
