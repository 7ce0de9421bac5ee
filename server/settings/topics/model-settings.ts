import { arenaModelsSchema } from '#contract/evaluations.ts'
import { defaultModelParamsSchema, modelMetaSchema } from '#contract/model-defaults.ts'
import { modelPricesSchema } from '#contract/model-prices.ts'
import { json, list, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

/**
 * Settings of the available models and their access, of their common properties, and of entries
 * combined from several.
 */
export const modelSettings = [
  list('DEFAULT_MODELS', [], {
    name: 'Default model',
    searchWords: 'preselected',
    help: 'Models a new chat starts with, by ID.',
  }),
  list('MODEL_ORDER_LIST', [], {
    name: 'Model order',
    searchWords: 'sort',
    help: 'Models shown first in lists, by ID, in this order.',
  }),
  toggle(
    'BYPASS_MODEL_ACCESS_CONTROL',
    { desktop: true, server: false },
    {
      name: 'Every model for everyone',
      searchWords: 'access permission share',
      help: 'Lets everyone signed in use every model.',
    },
  ),
  json('DEFAULT_MODEL_METADATA', '{}', {
    name: 'Default details of models',
    searchWords: 'capabilities',
    json: {
      schema: modelMetaSchema,
      words: 'a JSON object such as {"capabilities":{"vision":true}}',
    },
    help: 'Description, capabilities and other details for models that do not provide them.',
  }),
  json('DEFAULT_MODEL_PARAMS', '{}', {
    name: 'Parameters for all models',
    searchWords: 'temperature system prompt',
    json: { schema: defaultModelParamsSchema, words: 'a JSON object such as {"temperature":0.7}' },
    help: 'Parameters for models that have none of their own; "system" contains instructions.',
  }),
  json('MODEL_PRICES', '[]', {
    name: 'Model prices',
    searchWords: 'cost tokens money',
    json: {
      schema: modelPricesSchema,
      words: 'a JSON list of prices with model, input, output and currency',
    },
    help: 'Prices per million tokens, used to calculate the cost of an answer.',
  }),
  toggle(
    'ENABLE_EVALUATION_ARENA_MODELS',
    { desktop: false, server: true },
    {
      name: 'Arena',
      searchWords: 'compare blind',
      help: 'Lists entries that answer with a random model, for blind comparison.',
    },
  ),
  json('EVALUATION_ARENA_MODELS', '[]', {
    name: 'Arena models',
    searchWords: 'compare blind',
    json: {
      schema: arenaModelsSchema,
      words: 'a JSON list of arena models with id, name and meta',
    },
    help: 'These entries; without any there is one that chooses among all models.',
  }),
] as const satisfies readonly SettingDefinition[]
