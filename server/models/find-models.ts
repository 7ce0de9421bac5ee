import { filterInOrder } from '../lib/in-order.ts'
import type { Model } from '#contract/models.ts'
import type { Auth } from '../auth/index.ts'
import { badRequest, notFound, unavailable } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { eachAwaitedInSteps, runInTurns } from '../lib/turns.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { OfferedModel, Providers } from '../providers/index.ts'
import type { Arena } from './arena.ts'
import type { Catalogue, KnownModel } from './catalogue.ts'
import { explainMissing } from './explain-missing.ts'
import type { ModelPlace } from './meant-place.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import type { ModelAccess } from './model-access.ts'
import type { ModelsSettings } from './models-settings.ts'
import { isHidden } from './stored-models.ts'

interface ModelFinderDependencies {
  readonly providers: Providers
  readonly settings: ModelsSettings
  readonly catalogue: Catalogue
  readonly arena: Arena
  readonly modelAccess: ModelAccess
  readonly auth: Auth
  readonly describeModel: (model: Model) => Model
}

const NOT_LISTED =
  'The model is not known now, because a connection does not answer. Try again in a moment.'
const NOT_LISTED_RETRY_SECONDS = '3'

/** Yields the models a caller may use and that are not hidden, in short steps. */
async function* pickShown(
  models: Generator<void, KnownModel[]>,
  mayUse: (model: KnownModel) => boolean | Promise<boolean>,
): AsyncGenerator<void, KnownModel[]> {
  const shown: KnownModel[] = []
  yield* eachAwaitedInSteps(yield* models, async (model) => {
    if (!isHidden(model.row) && (await mayUse(model))) shown.push(model)
  })
  return shown
}

/** Finds models for callers. */
export class ModelFinder {
  readonly #deps: ModelFinderDependencies
  readonly #providers: Providers
  readonly #catalogue: Catalogue
  readonly #modelAccess: ModelAccess
  readonly #auth: Auth

  constructor(dependencies: ModelFinderDependencies) {
    this.#deps = dependencies
    this.#providers = dependencies.providers
    this.#catalogue = dependencies.catalogue
    this.#modelAccess = dependencies.modelAccess
    this.#auth = dependencies.auth
  }

  async list(caller: Caller, options?: { refresh?: boolean }): Promise<Model[]> {
    const known = await this.#listKnown(caller, options)
    const entries = [
      ...known.map(({ resolved }) => resolved.entry),
      ...(await this.#deps.arena.entries(caller, known)),
    ]
    const described = await runInTurns(this.#describeNamed(caller, entries))
    return putInOrder(described, this.#deps.settings.get('MODEL_ORDER_LIST'))
  }

  /**
   * Returns one model as the list shows it; throws 404 if it is unknown or forbidden for this
   * caller.
   */
  async show(caller: Caller, id: string): Promise<Model> {
    const shown = await this.list(caller)
    const listedId = this.#catalogue.find(id)?.id ?? id
    const entry = shown.find((each) => each.id === listedId)
    if (!entry) {
      const ids = shown.map((each) => each.id)
      throw notFound(explainMissing(id, ids), { code: 'model_not_found' })
    }
    return entry
  }

  /** Returns the list entry of an arena this caller may use; null for every other id. */
  async findArena(caller: Caller, id: string): Promise<Model | null> {
    const { arena } = this.#deps
    if (!arena.has(id) || !(await this.#mayName(caller, id))) return null
    return (await arena.pick(caller, id, await this.#listKnown(caller)))?.entry ?? null
  }

  /** See `Models.resolve`. */
  resolve(caller: Caller, id: string, place?: ModelPlace): ResolvedModel | Promise<ResolvedModel> {
    if (place === 'runtimes') return this.#resolveAtRuntimes(caller, id)
    const found = this.#resolve(caller, id)
    return place === undefined
      ? found
      : whenReady(found, (resolved) => this.#atPlace(caller, resolved, place))
  }

  /** Returns the models of all connections, including hidden ones, for administrators. */
  async listBase(options: { refresh?: boolean }): Promise<Model[]> {
    const known = await runInTurns(this.#catalogue.join(await this.#providers.listModels(options)))
    return known
      .filter(({ row }) => !row?.base_model_id)
      .map(({ offered, resolved: { entry } }) =>
        this.#modelAccess.isForEverybody(offered)
          ? { ...entry, for_everybody: true as const }
          : entry,
      )
  }

  /**
   * Returns an available model, regardless of permissions; queries the connections if it is not
   * known.
   */
  async findKnown(id: string): Promise<KnownModel | null> {
    const known = this.#catalogue.find(id)
    if (known) return known
    await this.#providers.find(this.#catalogue.wantedFor(id))
    return this.#catalogue.find(id)
  }

  /** Returns a model of a connection as last listed by the connection. */
  async findOffered(id: string): Promise<OfferedModel | null> {
    // Waits for connections that were never queried, but not for one that does not respond.
    if (!this.#providers.findCached(id)) await this.#providers.listModels()
    return this.#providers.findCached(id)
  }

  /**
   * Throws the same error for unknown and forbidden models, also while the list of a connection is
   * missing.
   */
  async #refuse(caller: Caller, id: string): Promise<never> {
    if (this.#providers.isIncomplete())
      throw unavailable(NOT_LISTED, {
        code: 'models_unknown',
        headers: { 'Retry-After': NOT_LISTED_RETRY_SECONDS },
      })
    throw badRequest(explainMissing(id, await this.#listIds(caller)), { code: 'model_not_found' })
  }

  #mayName(caller: Caller, id: string): boolean | Promise<boolean> {
    return this.#modelAccess.mayName(caller, id) && this.#auth.apiKeys.mayUseModel(caller, id)
  }

  /** A key is limited to the ids its holder may name, not to the models behind them. */
  #mayAsk(caller: Caller, id: string, known: KnownModel | null): boolean | Promise<boolean> {
    return whenReady(
      this.#mayName(caller, id),
      (mayName) => mayName || (known !== null && this.#mayName(caller, known.id)),
    )
  }

  async *#describeNamed(caller: Caller, entries: readonly Model[]): AsyncGenerator<void, Model[]> {
    const described: Model[] = []
    yield* eachAwaitedInSteps(entries, async (entry) => {
      if (await this.#mayName(caller, entry.id)) described.push(this.#deps.describeModel(entry))
    })
    return described
  }

  async #listIds(caller: Caller): Promise<string[]> {
    return await filterInOrder(
      (await this.#listKnown(caller)).map((known) => known.id),
      (id) => this.#mayName(caller, id),
    )
  }

  /**
   * Returns the models in the list of a caller; hidden ones are left out for administrators too.
   */
  async #listKnown(caller: Caller, options: { refresh?: boolean } = {}): Promise<KnownModel[]> {
    const offered = await this.#providers.listModels(options)
    return runInTurns(
      pickShown(this.#catalogue.join(offered), (model) => this.#modelAccess.mayUse(caller, model)),
    )
  }

  async #resolveElsewhere(caller: Caller, id: string): Promise<ResolvedModel> {
    if (!this.#deps.arena.has(id)) {
      const known = await this.findKnown(id)
      return known && (await this.#modelAccess.mayUse(caller, known))
        ? known.resolved
        : this.#refuse(caller, id)
    }
    const chosen = await this.#deps.arena.pick(caller, id, await this.#listKnown(caller))
    if (!chosen) return this.#refuse(caller, id)
    return { ...chosen.picked.resolved, entry: chosen.entry, selectedModelId: chosen.picked.id }
  }

  /**
   * Returns the same model of the runtime with this index; its id decides who may use it, wherever
   * it runs.
   */
  #atPlace(caller: Caller, resolved: ResolvedModel, place: number): ResolvedModel | Promise<never> {
    const backends = this.#providers.backends('runtime')
    if (!backends[place]?.isUsable)
      throw notFound(`There is no connection in use at place ${place}.`)
    const home = backends.find(
      ({ connectionId }) => connectionId === resolved.provider.connectionId,
    )
    const offered = backends[place].findModel(
      home ? home.toPublicId(resolved.model.id) : resolved.publicId,
    )
    if (!offered) return this.#refuse(caller, resolved.publicId)
    return { ...resolved, model: offered.model, provider: offered.provider }
  }

  /** Returns the model that runtimes know by a name without its tag, for callers who may use it. */
  async #findAtRuntimes(caller: Caller, name: string): Promise<ResolvedModel | null> {
    const known = this.#catalogue.find(`${name}:latest`)
    if (known?.offered.provider.kind !== 'runtime') return null
    return (await this.#mayName(caller, known.id)) &&
      (await this.#modelAccess.mayUse(caller, known))
      ? known.resolved
      : null
  }

  async #resolveAtRuntimes(caller: Caller, name: string): Promise<ResolvedModel> {
    return (await this.#findAtRuntimes(caller, name)) ?? this.#resolve(caller, name)
  }

  /** Synchronous if nothing about the model or the caller has to be read. */
  #resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel> {
    const known = this.#catalogue.find(id)
    return whenReady(this.#mayAsk(caller, id, known), (mayAsk) => {
      if (!mayAsk) return this.#refuse(caller, id)
      if (!known) return this.#resolveElsewhere(caller, id)
      return whenReady(this.#modelAccess.mayUse(caller, known), (mayUse) =>
        mayUse ? known.resolved : this.#refuse(caller, id),
      )
    })
  }
}

/** Models in the administrator's order come first; the others keep their order. */
function putInOrder(models: readonly Model[], order: readonly string[]): Model[] {
  const placeOf = new Map(order.map((id, place) => [id, place]))
  if (placeOf.size === 0) return [...models]
  const rank = ({ id }: Model): number => placeOf.get(id) ?? order.length
  return models.toSorted((left, right) => rank(left) - rank(right))
}
