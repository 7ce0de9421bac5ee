import type { ModelPrice } from '#contract/model-prices.ts'
import type { Model } from '#contract/models.ts'
import { type Ability, abilitiesOf } from './abilities.ts'

/** What is known of a model beside its name. */
export interface ModelFacts {
  readonly abilities: readonly Ability[]
  readonly contextLength: number | null
  readonly price: ModelPrice | null
  /** Number of parameters as its id writes it, such as 70B. */
  readonly size: string | null
}

export const NO_FACTS: ModelFacts = {
  abilities: [],
  contextLength: null,
  price: null,
  size: null,
}

/** A number of billions, also of several experts (8x7B), that is a word of its own. */
const SIZE = /(?<![a-z\d.])(?:\d+x)?\d+(?:\.\d+)?b(?![a-z\d])/i

export function factsOf(model: Model, price: ModelPrice | null): ModelFacts {
  const tokens = model.info.meta['context_length']
  return {
    abilities: abilitiesOf(model),
    contextLength: typeof tokens === 'number' ? tokens : null,
    price,
    // The description of a runtime says it already, and that of a person what to use it for.
    size: model.info.meta.description
      ? null
      : (SIZE.exec(model.id)?.[0].replace(/b$/, 'B') ?? null),
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
  const hasSize = !isSame(all.map(({ size }) => size))
  return all.map(({ abilities, contextLength, price, size }) => ({
    abilities: abilities.filter((ability) => !isShared(ability)),
    contextLength: hasContext ? contextLength : null,
    price: hasPrice ? price : null,
    size: hasSize ? size : null,
  }))
}
