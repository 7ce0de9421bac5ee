import type { Access } from '../access/index.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { KnownModel } from './catalogue.ts'
import type { OfferedModel } from '../providers/index.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { StoredModel } from './stored-model.ts'
import { isHidden, toResource } from './stored-models.ts'

interface ModelAccessDependencies {
  readonly access: Access
  readonly settings: ModelsSettings
  readonly lentTo: (userId: string) => ReadonlySet<string> | null
}

export const NO_MODEL = 'Model not found'

/** Determines who may use, read and change which model. */
export class ModelAccess {
  readonly #access: Access
  readonly #settings: ModelsSettings
  readonly #lentTo: ModelAccessDependencies['lentTo']

  constructor({ access, settings, lentTo }: ModelAccessDependencies) {
    this.#access = access
    this.#settings = settings
    this.#lentTo = lentTo
  }

  /** Returns the models lent to a guest; null for all others. */
  lentTo({ userId }: Pick<Caller, 'userId'>): ReadonlySet<string> | null {
    return this.#lentTo(userId)
  }

  /** Reports whether a caller may name a model at all: guests only those lent to them. */
  mayName({ userId }: Pick<Caller, 'userId'>, id: string): boolean {
    return this.#lentTo(userId)?.has(id) ?? true
  }

  /** Reports whether a user may chat with a model. Grants decide, never the model's own data. */
  mayUse(caller: Caller, model: KnownModel): boolean | Promise<boolean> {
    const lent = this.#lentTo(caller.userId)
    if (lent) return lent.has(model.id) && !isHidden(model.row)
    if (caller.role === 'admin') return true
    if (isHidden(model.row)) return false
    if (this.#settings.get('BYPASS_MODEL_ACCESS_CONTROL')) return true
    const { row } = model
    if (!row?.base_model_id) return this.#mayUseOffered(caller, model)
    return whenReady(
      this.mayRead(caller, row),
      (mayRead) => mayRead && this.#mayUseOffered(caller, model),
    )
  }

  mayRead(caller: Caller, row: StoredModel): boolean | Promise<boolean> {
    return this.#access.allows(caller, toResource(row), 'read')
  }

  mayWrite(caller: Caller, row: StoredModel): boolean | Promise<boolean> {
    return this.#access.allows(caller, toResource(row), 'write')
  }

  /**
   * Returns the stored model if the caller may change it; throws 404 if it is missing or not
   * readable, 403 if it may only be used.
   */
  async requireWritable(caller: Caller, row: StoredModel | undefined): Promise<StoredModel> {
    if (!row || !(await this.mayRead(caller, row)))
      throw notFound(NO_MODEL, { code: 'model_not_found' })
    if (!(await this.mayWrite(caller, row)))
      throw forbidden('You can use this model but not edit it. Ask its owner for access.', {
        code: 'not_permitted',
      })
    return row
  }

  /**
   * Reports whether everyone signed in may use a model of a connection, unless it is shared with
   * some of them.
   */
  isForEverybody({ isForEverybody, provider }: OfferedModel): boolean {
    return (
      isForEverybody === true ||
      provider.kind === 'guide' ||
      this.#settings.get('BYPASS_MODEL_ACCESS_CONTROL')
    )
  }

  #mayUseOffered(caller: Caller, { offered, row, base }: KnownModel): boolean | Promise<boolean> {
    if (offered.provider.kind === 'guide') return true
    const override = row?.base_model_id ? base : row
    const isForEverybody = offered.isForEverybody === true
    if (override === null) return isForEverybody
    return whenReady(
      this.mayRead(caller, override),
      (mayRead) => mayRead || (isForEverybody && this.#isUnshared(override)),
    )
  }

  /** Reports whether a model has no grants, so that its connection makes it available to all. */
  async #isUnshared({ id }: StoredModel): Promise<boolean> {
    return (await this.#access.grantsOf('model', id)).length === 0
  }
}
