import type { Model, ModelInfo, ModelRow } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Users } from '../users/index.ts'
import { toInfo, toRow, toStoredInfo, type ModelRights } from './describe-model.ts'
import type { ModelFinder } from './find-models.ts'
import { NO_MODEL, type ModelAccess } from './model-access.ts'
import type { StoredModel, StoredModels } from './stored-models.ts'

/** Models as one caller sees them. */
export interface ModelViews {
  /** 404 for unknown and forbidden models alike. */
  info(caller: Caller, id: string): Promise<ModelInfo>
  /** An entry of a list with the rights on it, where it is stored. */
  listed(entry: Model): Model
  row(caller: Caller, model: StoredModel): ModelRow
  /** Workspace models the caller may read. */
  readable(caller: Caller): StoredModel[]
  /** Name and picture of a model the caller may use or read. */
  image(caller: Caller, id: string): Promise<{ name: string; address: unknown }>
}

interface ModelViewsDependencies {
  readonly stored: StoredModels
  readonly users: Pick<Users, 'get'>
  readonly access: Pick<Access, 'describe'>
  readonly modelAccess: ModelAccess
  readonly finder: Pick<ModelFinder, 'findKnown'>
}

export function createModelViews({
  stored,
  users,
  access,
  modelAccess,
  finder,
}: ModelViewsDependencies): ModelViews {
  function rightsOf(caller: Caller, id: string, row: StoredModel | null): ModelRights {
    return {
      ...access.describe('model', id),
      write_access: row ? modelAccess.mayWrite(caller, row) : caller.role === 'admin',
    }
  }

  async function info(caller: Caller, id: string): Promise<ModelInfo> {
    const known = await finder.findKnown(id)
    // @NOTE A row somebody may read is shown even while its base is away or it is hidden, or nobody
    //   could mend it.
    const row = known ? known.row : (stored.get(id) ?? null)
    const isReadable = row !== null && modelAccess.mayRead(caller, row)
    if (known && (isReadable || modelAccess.mayUse(caller, known)))
      return toInfo(known, rightsOf(caller, id, row))
    if (row && isReadable) return toStoredInfo(row, rightsOf(caller, id, row))
    throw notFound(NO_MODEL, { code: 'model_not_found' })
  }

  return {
    info,
    listed: (entry) =>
      stored.get(entry.id)
        ? { ...entry, info: { ...entry.info, ...access.describe('model', entry.id) } }
        : entry,
    row: (caller, model) =>
      toRow(
        model,
        rightsOf(caller, model.id, model),
        model.user_id === null ? null : toAuthor(users, model.user_id, caller),
      ),
    readable: (caller) =>
      stored
        .all()
        .filter((model) => model.base_model_id !== null && modelAccess.mayRead(caller, model)),
    async image(caller, id) {
      const { name, meta } = await info(caller, id)
      return { name, address: meta['profile_image_url'] }
    },
  }
}
