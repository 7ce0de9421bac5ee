import type { Model, ModelInfo } from '#contract/models.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { OfferedModel, Providers } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { toEntry, toInfo } from './describe-model.ts'
import { createModelRoutes } from './routes.ts'

/** A model a caller may use. */
export interface ResolvedModel extends OfferedModel {
  /** Model as lists show it. */
  readonly entry: Model
}

/** The model list and who may use what (decisions §4, Model access). */
export interface Models {
  list(caller: Caller, options?: { refresh?: boolean }): Promise<Model[]>
  /** 400 "Model not found" for unknown and forbidden ids alike; a promise only when upstreams must be asked. */
  resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel>
  readonly routes: readonly Route[]
}

/** What the models are built from. */
export interface ModelsDependencies {
  readonly providers: Providers
  readonly settings: Settings
}

const NOT_FOUND = 'Model not found'

/** Builds the model list on top of the connections. */
export function createModels({ providers, settings }: ModelsDependencies): Models {
  /** Entries live as long as the list they come from, so that a call does not build one. */
  const resolved = new WeakMap<OfferedModel, ResolvedModel>()

  /** Until models carry grants of their own, everything but the guide needs an admin or the switch for all. */
  const mayUse = (caller: Caller, { provider }: OfferedModel): boolean =>
    caller.role === 'admin' || provider.kind === 'guide' || settings.boolean('BYPASS_MODEL_ACCESS_CONTROL')

  function withEntry(offered: OfferedModel): ResolvedModel {
    const known = resolved.get(offered) ?? { ...offered, entry: toEntry(offered) }
    resolved.set(offered, known)
    return known
  }

  function requireAllowed(caller: Caller, offered: OfferedModel | null): ResolvedModel {
    if (!offered || !mayUse(caller, offered)) throw badRequest(NOT_FOUND, { code: 'model_not_found' })
    return withEntry(offered)
  }

  async function list(caller: Caller, options: { refresh?: boolean } = {}): Promise<Model[]> {
    const offered = await providers.listModels(options)
    return offered.filter((model) => mayUse(caller, model)).map((model) => withEntry(model).entry)
  }

  async function info(caller: Caller, id: string): Promise<ModelInfo> {
    const offered = providers.findCached(id) ?? (await providers.find(id))
    if (!offered || !mayUse(caller, offered)) throw notFound(NOT_FOUND, { code: 'model_not_found' })
    return toInfo(offered)
  }

  return {
    list,
    resolve(caller, id) {
      const cached = providers.findCached(id)
      return cached ? requireAllowed(caller, cached) : providers.find(id).then((found) => requireAllowed(caller, found))
    },
    routes: createModelRoutes({ list, info }),
  }
}
