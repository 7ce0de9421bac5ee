import type { Model } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import type { Auth } from '../auth/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Providers } from '../providers/index.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createArena } from './arena.ts'
import { createCatalogue } from './catalogue.ts'
import { createModelFinder } from './find-models.ts'
import type { ModelPlace } from './meant-place.ts'
import { createModelAccess } from './model-access.ts'
import { createModelSettings, MODEL_DEFAULTS } from './model-settings.ts'
import { createModelRoutes } from './routes.ts'
import { createModelViews } from './show-models.ts'
import { createStoredModels } from './stored-models.ts'
import { createWorkspace, type CheckAttached } from './workspace.ts'
import type { ResolvedModel } from './resolved-model.ts'

export type { ResolvedModel } from './resolved-model.ts'

export { meantPlace, type ModelPlace } from './meant-place.ts'
export type { ModelPreset } from './merge-preset.ts'

/** The model list and who may use what (decisions §4, Model access). */
export interface Models {
  list(caller: Caller, options?: { refresh?: boolean }): Promise<Model[]>
  /**
   * 400 "Model not found" with the id and the nearest others for unknown and forbidden ids alike; a
   * promise only when upstreams must be asked, or for an arena. `place` is that of the local
   * runtime which has to answer, among those with this model; 404 where none is in use. With
   * `runtimes` a name without a tag means their model before one of another connection.
   */
  resolve(caller: Caller, id: string, place?: ModelPlace): ResolvedModel | Promise<ResolvedModel>
  /** Stored models the caller may read that bring something along which fits. */
  bringing(caller: Caller, fits: (items: unknown) => boolean): { id: string; name: string }[]
  readonly routes: readonly Route[]
}

/** What the models are built from. */
export interface ModelsDependencies {
  readonly storage: Storage
  readonly settings: ModelsSettings
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked'>
  readonly groups: Pick<Groups, 'idsOf'>
  readonly access: Access
  readonly auth: Pick<Auth, 'mayUseModel'>
  readonly providers: Providers
  /** Checks the knowledge a model is to bring along; everything may be named when absent. */
  readonly checkAttached?: CheckAttached
  /** Adds what plugins show with a model to its entry in lists. */
  readonly describeModel?: (model: Model) => Model
}

/** Builds the models on the table of `0006-models`, on top of the connections. */
export function createModels(dependencies: ModelsDependencies): Models {
  const {
    storage,
    settings,
    users,
    groups,
    access,
    auth,
    providers,
    checkAttached = () => undefined,
  } = dependencies
  const { describeModel = (model) => model } = dependencies
  const stored = createStoredModels(storage, () => catalogue.forget())
  const catalogue = createCatalogue({ providers, settings, stored })
  settings.onChange((keys) => {
    if (keys.some((key) => MODEL_DEFAULTS.has(key))) catalogue.forget()
  })
  users.onSessionsRevoked((userId) => {
    if (!users.get(userId)) stored.forget()
  })
  const arena = createArena({ settings, groups })
  const modelAccess = createModelAccess({ access, settings })
  const finder = createModelFinder({
    providers,
    settings,
    catalogue,
    arena,
    modelAccess,
    auth,
    describeModel,
  })
  const changes = {
    stored,
    access,
    modelAccess,
    findOffered: (id: string) => finder.findOffered(id),
    isReserved: (id: string) => arena.has(id),
    checkAttached,
  }
  return {
    list: finder.list,
    resolve: finder.resolve,
    bringing: (caller, fits) =>
      stored
        .all()
        .filter((model) => fits(model.meta['knowledge']) && modelAccess.mayRead(caller, model))
        .map(({ id, name }) => ({ id, name })),
    routes: createModelRoutes({
      finder,
      providers,
      changes,
      workspace: createWorkspace(changes),
      views: createModelViews({ stored, users, access, modelAccess, finder }),
      modelSettings: createModelSettings(settings),
    }),
  }
}
