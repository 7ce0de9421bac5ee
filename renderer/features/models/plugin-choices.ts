import type { FunctionItem } from '#contract/functions.ts'
import type { SkillEntry } from '#contract/skills.ts'
import type { ToolItem } from '#contract/tools.ts'
import { call, endpoints } from '../../api/client.ts'
import { asText } from '../../lib/as-text.ts'

/**
 * Lists of ids in the meta of a model: available plugins, and those enabled by default in new
 * chats.
 */
export const PLUGIN_LISTS = [
  'toolIds',
  'skillIds',
  'filterIds',
  'defaultFilterIds',
  'actionIds',
  'defaultFeatureIds',
] as const
export type PluginList = (typeof PLUGIN_LISTS)[number]

/** A plugin that a model can refer to. */
export interface PluginChoice {
  readonly id: string
  readonly name: string
  readonly detail: string
  /** True if it applies to every model, regardless of this one's list. */
  readonly isEverywhere: boolean
  readonly isOff: boolean
}

export type PluginChoices = Readonly<Record<PluginList, readonly PluginChoice[]>>

const toChoice = (id: string, name: string): PluginChoice => ({
  id,
  name,
  detail: '',
  isEverywhere: false,
  isOff: false,
})

const fromTool = ({ id, name, meta }: ToolItem): PluginChoice => ({
  id,
  name,
  detail: asText(meta.description) || asText(meta.manifest?.['description']),
  isEverywhere: false,
  isOff: false,
})

const fromSkill = ({ id, name, description, is_active }: SkillEntry): PluginChoice => ({
  id,
  name,
  detail: description ?? '',
  isEverywhere: false,
  isOff: !is_active,
})

const fromFunction = ({ id, name, meta, is_global, is_active }: FunctionItem): PluginChoice => ({
  id,
  name,
  detail: asText(meta.description) || asText(meta.manifest?.['description']),
  isEverywhere: is_global && is_active,
  isOff: !is_active,
})

/** Names of gateway features that can be enabled by default in new chats. */
export type FeatureNames = Readonly<Record<'web_search' | 'image_generation', string>>

/** Loads everything the caller may enable for a model. */
export async function loadPluginChoices(features: FeatureNames): Promise<PluginChoices> {
  const [tools, skills, functions] = await Promise.all([
    call(endpoints.tools.list, {}),
    call(endpoints.skills.list, {}),
    call(endpoints.functions.list, {}),
  ])
  const ofKind = (kind: FunctionItem['type']) =>
    functions.filter(({ type }) => type === kind).map(fromFunction)
  const switchable = functions
    .filter(({ type, meta }) => type === 'filter' && meta['toggle'])
    .map(fromFunction)
  return {
    toolIds: tools.map(fromTool),
    skillIds: skills.map(fromSkill),
    filterIds: ofKind('filter'),
    // A switchable filter can be enabled by default regardless of whether it applies to every
    // model.
    defaultFilterIds: switchable.map((filter) => ({ ...filter, isEverywhere: false })),
    actionIds: ofKind('action'),
    defaultFeatureIds: Object.entries(features).map(([id, name]) => toChoice(id, name)),
  }
}

/** Returns the ids of a list in a model's meta; entries that are not strings are ignored. */
export const idsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []

/**
 * Returns the choices followed by those the model refers to but that no longer exist, so that they
 * can be removed.
 */
export function withMissing(
  choices: readonly PluginChoice[],
  ids: readonly string[],
  missing: string,
): readonly PluginChoice[] {
  const gone = ids.filter((id) => !choices.some((choice) => choice.id === id))
  return [...choices, ...gone.map((id) => ({ ...toChoice(id, id), detail: missing }))]
}
