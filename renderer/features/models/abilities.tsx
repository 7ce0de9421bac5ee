import { Eye, Globe, Image, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Model } from '#contract/models.ts'

const ABILITIES = [
  { name: 'vision', icon: <Eye /> },
  { name: 'web_search', icon: <Globe /> },
  { name: 'image_generation', icon: <Image /> },
  { name: 'code_interpreter', icon: <SquareTerminal /> },
] as const satisfies readonly { name: string; icon: ReactNode }[]

/** Returns the abilities of at least one of the models, each with its sign. */
export const abilitiesOf = (models: readonly Model[]): readonly (typeof ABILITIES)[number][] =>
  ABILITIES.filter(({ name }) => models.some(({ info }) => info.meta.capabilities?.[name] === true))
