import type { ModelPrice } from '#contract/model-prices.ts'
import type { Model } from '#contract/models.ts'
import { type Ability, abilitiesOf } from './abilities.ts'

/** What is known of a model beside its name. */
export interface ModelFacts {
  readonly abilities: readonly Ability[]
  readonly contextLength: number | null
  readonly price: ModelPrice | null
}

export const NO_FACTS: ModelFacts = { abilities: [], contextLength: null, price: null }

export function factsOf(model: Model, price: ModelPrice | null): ModelFacts {
  const tokens = model.info.meta['context_length']
  return {
    abilities: abilitiesOf(model),
    contextLength: typeof tokens === 'number' ? tokens : null,
    price,
  }
}

const isSame = (values: readonly (string | number | null)[]): boolean =>
  values.every((value) => value === values[0])

const priceKey = ({ price }: ModelFacts): string | null =>
  price && `${price.input} ${price.output} ${price.currency}`

/** Leaves out what is the same for all of several models, as it does not help to choose one. */
export function toDiffering(all: readonly ModelFacts[]): readonly ModelFacts[] {
  if (all.length < 2) return all
  const isShared = (ability: Ability): boolean =>
    all.every(({ abilities }) => abilities.includes(ability))
  const hasContext = !isSame(all.map(({ contextLength }) => contextLength))
  const hasPrice = !isSame(all.map(priceKey))
  return all.map(({ abilities, contextLength, price }) => ({
    abilities: abilities.filter((ability) => !isShared(ability)),
    contextLength: hasContext ? contextLength : null,
    price: hasPrice ? price : null,
  }))
}
