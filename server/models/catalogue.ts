import type { OfferedModel, Providers } from '../providers/index.ts'
import { eachInSteps } from '../lib/turns.ts'
import { toEntry, type DescribedModel } from './describe-model.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import { mergePreset } from './merge-preset.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { StoredModel } from './stored-model.ts'
import type { StoredModels } from './stored-models.ts'

/** A usable model: one of a connection, or a workspace model whose base is available. */
export interface KnownModel extends DescribedModel {
  /** The form that calls use. */
  readonly resolved: ResolvedModel
}

interface CatalogueDependencies {
  readonly providers: Providers
  readonly settings: ModelsSettings
  readonly stored: StoredModels
}

/** Combines the models of all connections with the data stored about them. */
export class Catalogue {
  readonly #providers: Providers
  readonly #settings: ModelsSettings
  readonly #stored: StoredModels
  /**
   * Descriptions are cached as long as the list they come from, so that a call does not build one.
   */
  #known = new Map<string, KnownModel>()

  constructor({ providers, settings, stored }: CatalogueDependencies) {
    this.#providers = providers
    this.#settings = settings
    this.#stored = stored
  }

  /**
   * Looks up a model in memory, by id or by the name a runtime accepts for it; null if the model or
   * its base is not known yet.
   */
  find(id: string): KnownModel | null {
    const current = this.#known.get(id)
    const offered = this.#providers.findCached(id)
    if (offered?.publicId === id)
      return current?.offered === offered ? current : this.#describeOffered(offered)
    const row = this.#stored.get(id)
    const base = row?.base_model_id ? this.#providers.findCached(row.base_model_id) : null
    if (row && base) return this.#describe(id, base, row)
    return offered ? this.#describeOffered(offered) : null
  }

  /** Returns the id to query the connections for in order to find a model. */
  wantedFor(id: string): string {
    return this.#stored.get(id)?.base_model_id ?? id
  }

  /**
   * Returns models of connections, then workspace models based on them, the guide last; in short
   * steps.
   */
  *join(offered: readonly OfferedModel[]): Generator<void, KnownModel[]> {
    const byId = new Map(offered.map((each) => [each.publicId, each]))
    const [found, guides]: [KnownModel[], KnownModel[]] = [[], []]
    yield* eachInSteps(offered, (each) => {
      const list = each.provider.kind === 'guide' ? guides : found
      list.push(this.#describeOffered(each))
    })
    yield* eachInSteps(this.#stored.all(), (row) => {
      const base =
        row.base_model_id === null || byId.has(row.id)
          ? null
          : this.#providers.findCached(row.base_model_id)
      if (base) found.push(this.#describe(row.id, base, row))
    })
    return [...found, ...guides]
  }

  /** Must be called when stored models or the settings about all models have changed. */
  forget(): void {
    this.#known = new Map()
  }

  #build(id: string, offered: OfferedModel, row: StoredModel | null): KnownModel {
    const meta = this.#settings.get('DEFAULT_MODEL_METADATA')
    const params = this.#settings.get('DEFAULT_MODEL_PARAMS')
    const base = row?.base_model_id ? (this.#stored.get(row.base_model_id) ?? null) : null
    const described = { id, offered, row, base, defaults: meta }
    const preset = mergePreset({ defaults: { params, meta }, base, row })
    return {
      ...described,
      resolved: { ...offered, publicId: id, entry: toEntry(described), preset },
    }
  }

  #describe(id: string, offered: OfferedModel, row: StoredModel | null): KnownModel {
    const current = this.#known.get(id)
    if (current?.offered === offered) return current
    const built = this.#build(id, offered, row)
    this.#known.set(id, built)
    return built
  }

  /** A workspace model cannot replace a model of a connection. */
  #describeOffered(offered: OfferedModel): KnownModel {
    const row = this.#stored.get(offered.publicId)
    return this.#describe(offered.publicId, offered, row?.base_model_id === null ? row : null)
  }
}
