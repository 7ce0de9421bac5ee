import { arenaModelsSchema } from '#contract/evaluations.ts'
import { defaultModelParamsSchema, modelMetaSchema } from '#contract/model-defaults.ts'
import { modelPricesSchema } from '#contract/model-prices.ts'
import type { SettingDefinition } from '../setting-definition.ts'

/**
 * Settings of the available models and their access, of their common properties, and of entries
 * combined from several.
 */
export const modelSettings = [
  {
    key: 'DEFAULT_MODELS',
    name: 'Default model',
    searchWords: 'preselected',
    type: 'list',
    default: [],
    help: 'Models a new chat starts with, by ID.',
  },
  {
    key: 'MODEL_ORDER_LIST',
    name: 'Model order',
    searchWords: 'sort',
    type: 'list',
    default: [],
    help: 'Models shown first in lists, by ID, in this order.',
  },
  {
    key: 'BYPASS_MODEL_ACCESS_CONTROL',
    name: 'Every model for everyone',
    searchWords: 'access permission share',
    type: 'boolean',
    default: { desktop: true, server: false },
    help: 'Lets everyone signed in use every model.',
  },
  {
    key: 'DEFAULT_MODEL_METADATA',
    name: 'Default details of models',
    searchWords: 'capabilities',
    type: 'json',
    default: '{}',
    json: {
      schema: modelMetaSchema,
      words: 'a JSON object such as {"capabilities":{"vision":true}}',
    },
    help: 'Description, capabilities and other details for models that do not provide them.',
  },
  {
    key: 'DEFAULT_MODEL_PARAMS',
    name: 'Parameters for all models',
    searchWords: 'temperature system prompt',
    type: 'json',
    default: '{}',
    json: { schema: defaultModelParamsSchema, words: 'a JSON object such as {"temperature":0.7}' },
    help: 'Parameters for models that have none of their own; "system" contains instructions.',
  },
  {
    key: 'MODEL_PRICES',
    name: 'Model prices',
    searchWords: 'cost tokens money',
    type: 'json',
    default: '[]',
    json: {
      schema: modelPricesSchema,
      words: 'a JSON list of prices with model, input, output and currency',
    },
    help: 'Prices per million tokens, used to calculate the cost of an answer.',
  },
  {
    key: 'ENABLE_EVALUATION_ARENA_MODELS',
    name: 'Arena',
    searchWords: 'compare blind',
    type: 'boolean',
    default: { desktop: false, server: true },
    help: 'Lists entries that answer with a random model, for blind comparison.',
  },
  {
    key: 'EVALUATION_ARENA_MODELS',
    name: 'Arena models',
    searchWords: 'compare blind',
    type: 'json',
    default: '[]',
    json: {
      schema: arenaModelsSchema,
      words: 'a JSON list of arena models with id, name and meta',
    },
    help: 'These entries; without any there is one that chooses among all models.',
  },
] as const satisfies readonly SettingDefinition[]
