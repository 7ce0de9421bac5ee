import { filterInOrder } from '../lib/in-order.ts'
import type { Model } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import type { Auth } from '../auth/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Providers } from '../providers/index.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { Arena } from './arena.ts'
import { Catalogue } from './catalogue.ts'
import { ModelFinder } from './find-models.ts'
import type { ModelPlace } from './meant-place.ts'
import { ModelAccess } from './model-access.ts'
import { ModelSettings, MODEL_DEFAULTS } from './model-settings.ts'
import { createModelRoutes } from './routes.ts'
import { ModelViews } from './show-models.ts'
import { StoredModels } from './stored-models.ts'
import { Workspace, type CheckAttached } from './workspace.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'

export { explainMissing } from './explain-missing.ts'
export { meantPlace, type ModelPlace } from './meant-place.ts'

/** Dependencies of the models domain. */
export interface ModelsDependencies {
  readonly storage: Storage
  readonly settings: ModelsSettings
  readonly users: Users
  readonly groups: Groups
  readonly access: Access
  readonly auth: Auth
  readonly providers: Providers
  /** Checks the knowledge attached to a model; if absent, anything may be attached. */
  readonly checkAttached?: CheckAttached
  /** Adds the data plugins provide for a model to its list entry. */
  readonly describeModel?: (model: Model) => Model
  /**
   * Ids of the only models a guest may use; null for all other users, and for all users if absent.
   */
  readonly lentTo?: (userId: string) => ReadonlySet<string> | null
}

/**
 * The model list and the permissions on models, based on the table of `0006-models` and the
 * connections.
 */
export class Models {
  readonly #stored: StoredModels
  readonly #modelAccess: ModelAccess
  readonly #finder: ModelFinder
  readonly routes: readonly Route[]

  constructor(dependencies: ModelsDependencies) {
    const { storage, settings, users, groups, access, providers } = dependencies
    const { checkAttached = async () => undefined, describeModel = (model) => model } = dependencies
    const { lentTo = () => null } = dependencies
    const stored = (this.#stored = new StoredModels({
      storage,
      onChange: () => catalogue.forget(),
    }))
    const catalogue = new Catalogue({ providers, settings, stored })
    storage.onOthersChange(['model'], () => stored.load())
    settings.onChange(async (keys) => {
      if (keys.some((key) => MODEL_DEFAULTS.has(key))) catalogue.forget()
    })
    users.onRemoved(() => stored.load())
    const arena = new Arena({ settings, groups })
    const modelAccess = (this.#modelAccess = new ModelAccess({ access, settings, lentTo }))
    const parts = { ...dependencies, catalogue, arena, modelAccess, describeModel }
    const finder = (this.#finder = new ModelFinder(parts))
    const changes = {
      stored,
      access,
      modelAccess,
      finder,
      arena,
      checkAttached,
    }
    this.routes = createModelRoutes({
      finder,
      providers,
      changes,
      workspace: new Workspace(changes),
      views: new ModelViews({ stored, users, access, modelAccess, finder }),
      modelSettings: new ModelSettings(settings),
    })
  }

  /** Loads the stored models; must be awaited before the first call. */
  load(): Promise<void> {
    return this.#stored.load()
  }

  /** Reports whether a caller may name a model at all: guests only those lent to them. */
  mayName(caller: Pick<Caller, 'userId'>, id: string): boolean {
    return this.#modelAccess.mayName(caller, id)
  }

  list(caller: Caller): Promise<Model[]> {
    return this.#finder.list(caller)
  }

  /**
   * Throws 400 "Model not found" with the id and the most similar others for unknown and forbidden
   * ids alike; returns a promise only if upstreams must be queried, or for an arena. `place` is the
   * index of the local runtime that must answer, among those with this model; 404 if none is in
   * use. With `runtimes`, a name without a tag prefers the runtimes' model to one of another
   * connection.
   */
  resolve(caller: Caller, id: string, place?: ModelPlace): ResolvedModel | Promise<ResolvedModel> {
    return this.#finder.resolve(caller, id, place)
  }

  /** Returns the stored models the caller may read that have a matching attachment. */
  async withAttachment(
    caller: Caller,
    fits: (items: unknown) => boolean,
  ): Promise<{ id: string; name: string }[]> {
    return (
      await filterInOrder(
        this.#stored.all(),
        async (model) =>
          fits(model.meta['knowledge']) && (await this.#modelAccess.mayRead(caller, model)),
      )
    ).map(({ id, name }) => ({ id, name }))
  }
}
