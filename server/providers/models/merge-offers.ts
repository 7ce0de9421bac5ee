import { isFilter } from './model-list.ts'
import type { OfferedModel } from '../provider.ts'

/** Returns the filters of pipelines servers, in the order they run. */
export const findFilters = (offers: readonly OfferedModel[]): OfferedModel[] =>
  offers
    .filter(({ model }) => isFilter(model))
    .toSorted((one, other) => one.model.pipeline!.priority - other.model.pipeline!.priority)

const isGuide = ({ provider }: OfferedModel): boolean => provider.kind === 'guide'

const byDistance = (one: OfferedModel, other: OfferedModel): number =>
  Number(one.provider.type !== 'local') - Number(other.provider.type !== 'local')

/**
 * Merges the offers so that each id occurs once, local models first. If several connections have
 * it, the first one that responds wins, but no remote model replaces a local one, because prompts
 * would leave the computer without consent. The guide comes last and replaces any model with its
 * id.
 */
export function mergeOffers(
  outside: readonly OfferedModel[],
  inside: readonly OfferedModel[],
): Map<string, OfferedModel> {
  const models = new Map<string, OfferedModel>()
  for (const offered of [...outside.toSorted(byDistance), ...inside]) {
    const known = models.get(offered.publicId)
    const isBetter =
      known?.isUnavailable && !offered.isUnavailable && byDistance(known, offered) === 0
    if (!known || isBetter) models.set(offered.publicId, offered)
  }
  for (const offered of inside.filter(isGuide)) {
    models.delete(offered.publicId)
    models.set(offered.publicId, offered)
  }
  return models
}

/** Matches a colon after the last slash. */
const IS_TAGGED = /:[^/]*$/

const LATEST = /:latest$/

/**
 * Finds the model tagged `latest` for a name without a tag and the other way round, as local
 * runtimes and their users mean the same by both.
 */
export function findLatest(
  index: ReadonlyMap<string, OfferedModel>,
  publicId: string,
): OfferedModel | undefined {
  const other = IS_TAGGED.test(publicId) ? publicId.replace(LATEST, '') : `${publicId}:latest`
  const found = index.get(other)
  return found?.provider.kind === 'runtime' ? found : undefined
}

/** Finds the model of a local runtime for another id of it, in any letters. */
export function findByOtherId(
  index: ReadonlyMap<string, OfferedModel>,
  publicId: string,
): OfferedModel | undefined {
  const asked = publicId.toLowerCase()
  return [...index.values()].find(({ model, provider, publicId: listed }) => {
    const prefix = listed.slice(0, listed.length - model.id.length)
    return (
      provider.kind === 'runtime' &&
      model.otherIds?.some((id) => `${prefix}${id}`.toLowerCase() === asked)
    )
  })
}

/** Returns true if the list of chat models includes it. */
export const isListed = ({ model }: OfferedModel): boolean => !model.embedsOnly && !isFilter(model)
