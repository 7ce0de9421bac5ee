import i18next from 'i18next'
import type { Model } from '#contract/models.ts'
import english from '../../locales/en/models.json' with { type: 'json' }

/** Id of the built-in help. */
export const GUIDE_ID = 'guide'

type Said = keyof typeof english.guide

/**
 * All built-in texts used so far per field; a text written by an administrator is not among them.
 */
const said: Record<Said, Set<string>> = {
  name: new Set([english.guide.name]),
  connection: new Set([english.guide.connection]),
  description: new Set([english.guide.description]),
}

function say<Text extends string | null | undefined>(part: Said, given: Text): Text | string {
  if (typeof given !== 'string' || !said[part].has(given)) return given
  const own = i18next.t(`models.guide.${part}`)
  said[part].add(own)
  return own
}

const nameOne = (model: Model): Model => ({
  ...model,
  name: say('name', model.name),
  connection_name: say('connection', model.connection_name),
  info: {
    ...model.info,
    meta: { ...model.info.meta, description: say('description', model.info.meta.description) },
  },
})

/** Translates the built-in guide, whose texts are English in the API, to the language of the UI. */
export const nameGuide = (models: readonly Model[]): readonly Model[] =>
  models.map((model) => (model.id === GUIDE_ID ? nameOne(model) : model))
