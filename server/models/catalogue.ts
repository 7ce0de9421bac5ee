import type { OfferedModel, Providers } from '../providers/index.ts'
import { eachInSteps } from '../lib/turns.ts'
import type { ModelsSettings } from './models-settings.ts'
import { toEntry, type DescribedModel } from './describe-model.ts'
import type { ResolvedModel } from './resolved-model.ts'
import { mergePreset } from './merge-preset.ts'
import type { StoredModel, StoredModels } from './stored-models.ts'

/** A model that can be asked: one of a connection, or a workspace model whose base is there. */
export interface KnownModel extends DescribedModel {
  /** Ready for whoever may use it. */
  readonly resolved: ResolvedModel
}

/** Joins the models of all connections with what is stored about them. */
export interface Catalogue {
  /**
   * From memory, by the id or by the name a runtime takes for it; null when the model, or the base
   * of it, is not known yet.
   */
  find(id: string): KnownModel | null
  /** The id to ask the connections for, so that a model can be found. */
  wantedFor(id: string): string
  /**
   * Models of connections, then workspace models on top of them, the guide last; in short steps.
   */
  join(offered: readonly OfferedModel[]): Generator<void, KnownModel[]>
  /** To be called when stored models or the settings about all models have changed. */
  forget(): void
}

interface CatalogueDependencies {
  readonly providers: Providers
  readonly settings: ModelsSettings
  readonly stored: StoredModels
}

export function createCatalogue({ providers, settings, stored }: CatalogueDependencies): Catalogue {
  /** Descriptions live as long as the list they come from, so that a call does not build one. */
  let known = new Map<string, KnownModel>()

  function build(id: string, offered: OfferedModel, row: StoredModel | null): KnownModel {
    const meta = settings.get('DEFAULT_MODEL_METADATA')
    const params = settings.get('DEFAULT_MODEL_PARAMS')
    const base = row?.base_model_id ? (stored.get(row.base_model_id) ?? null) : null
    const described = { id, offered, row, base, defaults: meta }
    const preset = mergePreset({ defaults: { params, meta }, base, row })
    return {
      ...described,
      resolved: { ...offered, publicId: id, entry: toEntry(described), preset },
    }
  }

  function describe(id: string, offered: OfferedModel, row: StoredModel | null): KnownModel {
    const current = known.get(id)
    if (current?.offered === offered) return current
    const built = build(id, offered, row)
    known.set(id, built)
    return built
  }

  /** Nobody can put a model of their own in the place of one of a connection. */
  function describeOffered(offered: OfferedModel): KnownModel {
    const row = stored.get(offered.publicId)
    return describe(offered.publicId, offered, row?.base_model_id === null ? row : null)
  }

  return {
    find(id) {
      const current = known.get(id)
      const offered = providers.findCached(id)
      if (offered?.publicId === id)
        return current?.offered === offered ? current : describeOffered(offered)
      const row = stored.get(id)
      const base = row?.base_model_id ? providers.findCached(row.base_model_id) : null
      if (row && base) return describe(id, base, row)
      return offered ? describeOffered(offered) : null
    },
    wantedFor: (id) => stored.get(id)?.base_model_id ?? id,
    *join(offered) {
      const byId = new Map(offered.map((each) => [each.publicId, each]))
      const [found, guides]: [KnownModel[], KnownModel[]] = [[], []]
      yield* eachInSteps(offered, (each) => {
        const list = each.provider.kind === 'guide' ? guides : found
        list.push(describeOffered(each))
      })
      yield* eachInSteps(stored.all(), (row) => {
        const base =
          row.base_model_id === null || byId.has(row.id)
            ? null
            : providers.findCached(row.base_model_id)
        if (base) found.push(describe(row.id, base, row))
      })
      return [...found, ...guides]
    },
    forget() {
      known = new Map()
    },
  }
}
