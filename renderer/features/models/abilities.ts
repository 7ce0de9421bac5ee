import type { Model } from '#contract/models.ts'

const ABILITIES = [
  'vision',
  'reasoning',
  'web_search',
  'image_generation',
  'code_interpreter',
] as const

export type Ability = (typeof ABILITIES)[number]

/** Returns the abilities that a model is known to have, of those the picker names. */
export const abilitiesOf = ({ info }: Model): readonly Ability[] =>
  ABILITIES.filter((name) => info.meta.capabilities?.[name] === true)
