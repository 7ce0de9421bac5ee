import type { Model } from '#contract/models.ts'
import type { Auth } from '../auth/index.ts'
import { badRequest, notFound, unavailable } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { eachInSteps, runInTurns } from '../lib/turns.ts'
import type { OfferedModel, Providers } from '../providers/index.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { Arena } from './arena.ts'
import type { Catalogue, KnownModel } from './catalogue.ts'
import { explainMissing } from './explain-missing.ts'
import type { Models } from './index.ts'
import type { ResolvedModel } from './resolved-model.ts'
import { NO_MODEL, type ModelAccess } from './model-access.ts'
import { isHidden } from './stored-models.ts'

/** Finds models for callers. */
export interface ModelFinder extends Pick<Models, 'list' | 'resolve'> {
  /** Models of all connections, hidden ones included, for administrators. */
  listBase(options: { refresh?: boolean }): Promise<Model[]>
  /** One model as the list shows it; 404 for one that is unknown or not for this caller. */
  show(caller: Caller, id: string): Promise<Model>
  /** A model that can answer, whoever may use it; asks the connections when it is not known. */
  findKnown(id: string): Promise<KnownModel | null>
  /** A model of a connection, as the connections last listed it. */
  findOffered(id: string): Promise<OfferedModel | null>
}

interface ModelFinderDependencies {
  readonly providers: Providers
  readonly settings: ModelsSettings
  readonly catalogue: Catalogue
  readonly arena: Arena
  readonly modelAccess: ModelAccess
  readonly auth: Pick<Auth, 'mayUseModel'>
  readonly describeModel: (model: Model) => Model
}

const NOT_LISTED =
  'The model is not known now, because a connection does not answer. Try again in a moment.'
const NOT_LISTED_RETRY_SECONDS = '3'

/** Models a caller may use and that are not hidden, in short steps. */
function* pickShown(
  models: Generator<void, KnownModel[]>,
  mayUse: (model: KnownModel) => boolean,
): Generator<void, KnownModel[]> {
  const shown: KnownModel[] = []
  yield* eachInSteps(yield* models, (model) => {
    if (!isHidden(model.row) && mayUse(model)) shown.push(model)
  })
  return shown
}

export function createModelFinder(dependencies: ModelFinderDependencies): ModelFinder {
  const { providers, settings, catalogue, arena, modelAccess, auth, describeModel } = dependencies

  /** Unknown and forbidden models read alike, also while nobody can say which models there are. */
  async function refuse(caller: Caller, id: string): Promise<never> {
    if (providers.isIncomplete())
      throw unavailable(NOT_LISTED, {
        code: 'models_unknown',
        headers: { 'Retry-After': NOT_LISTED_RETRY_SECONDS },
      })
    throw badRequest(explainMissing(id, await listIds(caller)), { code: 'model_not_found' })
  }

  async function listIds(caller: Caller): Promise<string[]> {
    return (await listKnown(caller))
      .map((known) => known.id)
      .filter((id) => auth.mayUseModel(caller, id))
  }

  /** What a caller is shown; hidden models are left out for administrators too. */
  async function listKnown(
    caller: Caller,
    options: { refresh?: boolean } = {},
  ): Promise<KnownModel[]> {
    const offered = await providers.listModels(options)
    return runInTurns(
      pickShown(catalogue.join(offered), (model) => modelAccess.mayUse(caller, model)),
    )
  }

  async function findKnown(id: string): Promise<KnownModel | null> {
    const known = catalogue.find(id)
    if (known) return known
    await providers.find(catalogue.wantedFor(id))
    return catalogue.find(id)
  }

  async function resolveElsewhere(caller: Caller, id: string): Promise<ResolvedModel> {
    if (!arena.has(id)) {
      const known = await findKnown(id)
      return known && modelAccess.mayUse(caller, known) ? known.resolved : refuse(caller, id)
    }
    const chosen = arena.pick(caller, id, await listKnown(caller))
    if (!chosen) return refuse(caller, id)
    return { ...chosen.picked.resolved, entry: chosen.entry, selectedModelId: chosen.picked.id }
  }

  /**
   * The same model of the runtime at a place; who may use it is decided by its id, wherever it
   * runs.
   */
  function atPlace(
    caller: Caller,
    resolved: ResolvedModel,
    place: number,
  ): ResolvedModel | Promise<never> {
    const backends = providers.backends('runtime')
    if (!backends[place]?.isUsable)
      throw notFound(`There is no connection in use at place ${place}.`)
    const home = backends.find(
      ({ connectionId }) => connectionId === resolved.provider.connectionId,
    )
    const offered = backends[place].findModel(
      home ? home.toPublicId(resolved.model.id) : resolved.publicId,
    )
    if (!offered) return refuse(caller, resolved.publicId)
    return { ...resolved, model: offered.model, provider: offered.provider }
  }

  /** The model runtimes know by a name without its tag, for callers who may use it. */
  function findAtRuntimes(caller: Caller, name: string): ResolvedModel | null {
    const known = catalogue.find(`${name}:latest`)
    if (known?.offered.provider.kind !== 'runtime') return null
    return auth.mayUseModel(caller, known.id) && modelAccess.mayUse(caller, known)
      ? known.resolved
      : null
  }

  function resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel> {
    const known = catalogue.find(id)
    // A key is limited to the ids its holder may name, not to what stands behind them.
    if (!auth.mayUseModel(caller, id) && !(known && auth.mayUseModel(caller, known.id)))
      return refuse(caller, id)
    if (!known) return resolveElsewhere(caller, id)
    return modelAccess.mayUse(caller, known) ? known.resolved : refuse(caller, id)
  }

  async function list(caller: Caller, options?: { refresh?: boolean }): Promise<Model[]> {
    const known = await listKnown(caller, options)
    const entries = [
      ...known.map(({ resolved }) => resolved.entry),
      ...arena.entries(caller, known),
    ]
    const described = await runInTurns(describeNamed(caller, entries))
    return putInOrder(described, settings.get('MODEL_ORDER_LIST'))
  }

  function* describeNamed(caller: Caller, entries: readonly Model[]): Generator<void, Model[]> {
    const described: Model[] = []
    yield* eachInSteps(entries, (entry) => {
      if (auth.mayUseModel(caller, entry.id)) described.push(describeModel(entry))
    })
    return described
  }

  return {
    list,
    async show(caller, id) {
      const shown = await list(caller)
      const listedId = catalogue.find(id)?.id ?? id
      const entry = shown.find((each) => each.id === listedId)
      if (!entry) throw notFound(NO_MODEL, { code: 'model_not_found' })
      return entry
    },
    resolve(caller, id, place) {
      if (place === 'runtimes') return findAtRuntimes(caller, id) ?? resolve(caller, id)
      const found = resolve(caller, id)
      if (place === undefined) return found
      return found instanceof Promise
        ? found.then((resolved) => atPlace(caller, resolved, place))
        : atPlace(caller, found, place)
    },
    async listBase(options) {
      const known = await runInTurns(catalogue.join(await providers.listModels(options)))
      return known.filter(({ row }) => !row?.base_model_id).map(({ resolved }) => resolved.entry)
    },
    findKnown,
    async findOffered(id) {
      // Waits for connections nobody has asked yet, but not for a dead one.
      if (!providers.findCached(id)) await providers.listModels()
      return providers.findCached(id)
    },
  }
}

/** Models somebody put in an order come first; the others keep theirs. */
function putInOrder(models: readonly Model[], order: readonly string[]): Model[] {
  const placeOf = new Map(order.map((id, place) => [id, place]))
  if (placeOf.size === 0) return [...models]
  const rank = ({ id }: Model): number => placeOf.get(id) ?? order.length
  return models.toSorted((left, right) => rank(left) - rank(right))
}
