import { filterInOrder } from '../lib/in-order.ts'
import type { Model, ModelInfo, ModelRow } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Users } from '../users/index.ts'
import { toArenaInfo, toInfo, toRow, toStoredInfo, type ModelRights } from './describe-model.ts'
import type { ModelFinder } from './find-models.ts'
import { NO_MODEL, type ModelAccess } from './model-access.ts'
import type { StoredModel } from './stored-model.ts'
import type { StoredModels } from './stored-models.ts'

interface ModelViewsDependencies {
  readonly stored: StoredModels
  readonly users: Users
  readonly access: Access
  readonly modelAccess: ModelAccess
  readonly finder: ModelFinder
}

/** Models as one caller sees them. */
export class ModelViews {
  readonly #deps: ModelViewsDependencies

  constructor(dependencies: ModelViewsDependencies) {
    this.#deps = dependencies
  }

  /** Throws 404 for unknown and forbidden models alike. */
  async info(caller: Caller, id: string): Promise<ModelInfo> {
    const known = await this.#deps.finder.findKnown(id)
    // @NOTE A row the user may read is shown even while its base is unavailable or it is hidden,
    //   otherwise it could not be repaired.
    const row = known ? known.row : (this.#deps.stored.get(id) ?? null)
    const isReadable = row !== null && (await this.#deps.modelAccess.mayRead(caller, row))
    if (known && (isReadable || (await this.#deps.modelAccess.mayUse(caller, known))))
      return toInfo(known, await this.#rightsOf(caller, id, row))
    if (row && isReadable) return toStoredInfo(row, await this.#rightsOf(caller, id, row))
    const arena = await this.#deps.finder.findArena(caller, id)
    // The settings decide about an arena, not the access rules of models.
    if (arena)
      return toArenaInfo(arena, {
        ...(await this.#deps.access.describe('model', id)),
        write_access: false,
      })
    throw notFound(NO_MODEL, { code: 'model_not_found' })
  }

  /** Returns a list entry with the permissions on it, if it is stored. */
  async listed(entry: Model): Promise<Model> {
    return this.#deps.stored.get(entry.id)
      ? {
          ...entry,
          info: { ...entry.info, ...(await this.#deps.access.describe('model', entry.id)) },
        }
      : entry
  }

  async row(caller: Caller, model: StoredModel): Promise<ModelRow> {
    return toRow(
      model,
      await this.#rightsOf(caller, model.id, model),
      model.user_id === null ? null : await toAuthor(this.#deps.users, model.user_id, caller),
    )
  }

  /** Workspace models the caller may read. */
  readable(caller: Caller): Promise<StoredModel[]> {
    return filterInOrder(
      this.#deps.stored.all(),
      async (model) =>
        model.base_model_id !== null && (await this.#deps.modelAccess.mayRead(caller, model)),
    )
  }

  /** Returns the name and image of a model the caller may use or read. */
  async image(caller: Caller, id: string): Promise<{ name: string; address: unknown }> {
    const { name, meta } = await this.info(caller, id)
    return { name, address: meta['profile_image_url'] }
  }

  async #rightsOf(caller: Caller, id: string, row: StoredModel | null): Promise<ModelRights> {
    return {
      ...(await this.#deps.access.describe('model', id)),
      write_access: row
        ? await this.#deps.modelAccess.mayWrite(caller, row)
        : caller.role === 'admin',
    }
  }
}
