import { isFilter } from './model-list.ts'
import type { OfferedModel } from './provider.ts'

/** Filters of pipelines servers, in the order they run. */
export const findFilters = (offers: readonly OfferedModel[]): OfferedModel[] =>
  offers
    .filter(({ model }) => isFilter(model))
    .toSorted((one, other) => one.model.pipeline!.priority - other.model.pipeline!.priority)

const isGuide = ({ provider }: OfferedModel): boolean => provider.kind === 'guide'

const byDistance = (one: OfferedModel, other: OfferedModel): number =>
  Number(one.provider.type !== 'local') - Number(other.provider.type !== 'local')

/**
 * Each id once, local models first. Where several connections have it, the first one that answers
 * wins, but no remote model replaces a local one, because prompts would leave the computer unasked.
 * The guide comes last and replaces any model with its id.
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

/** A colon behind the last slash. */
const IS_TAGGED = /:[^/]*$/

/** Local runtimes take a name without a tag for the model tagged `latest`, and so do their users. */
export function findLatest(
  index: ReadonlyMap<string, OfferedModel>,
  publicId: string,
): OfferedModel | undefined {
  const found = IS_TAGGED.test(publicId) ? undefined : index.get(`${publicId}:latest`)
  return found?.provider.kind === 'runtime' ? found : undefined
}

/** Whether the list of models to chat with shows it. */
export const isListed = ({ model }: OfferedModel): boolean => !model.embedsOnly && !isFilter(model)
