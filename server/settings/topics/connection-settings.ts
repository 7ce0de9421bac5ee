import type { SettingDefinition } from '../setting-definition.ts'
import { WEB_ADDRESS } from '../web-address.ts'

export const connections = [
  {
    key: 'ENABLE_LLMHOST_API',
    name: 'Local runtimes',
    searchWords: 'ollama connections',
    alias: 'ENABLE_OLLAMA_API',
    type: 'boolean',
    default: true,
    help: 'Uses local runtimes, for chats and under /llmhost.',
  },
  {
    key: 'ENABLE_BUILT_IN_RUNTIME',
    name: 'Built-in runtime',
    type: 'boolean',
    default: true,
    help: 'Runs models of the folder "models" in the data folder, without another program.',
  },
  {
    key: 'MODEL_MIRRORS',
    name: 'Hubs for models',
    type: 'list',
    default: ['https://huggingface.co'],
    pattern: WEB_ADDRESS,
    help: 'Hubs that models are downloaded from by the name of their repository, tried one after the other.',
  },
  {
    key: 'MODEL_FOLDERS',
    name: 'Model folders of other programs',
    type: 'list',
    default: [],
    separator: /;/,
    help: 'Folders of other programs whose model files the built-in runtime uses where they are; separated by semicolons.',
  },
  {
    key: 'ENABLE_OPENAI_API',
    name: 'Remote providers',
    searchWords: 'connections',
    type: 'boolean',
    default: true,
    help: 'Uses remote chat-completions providers.',
  },
  {
    key: 'ENABLE_OPENAI_API_PASSTHROUGH',
    name: 'Pass unknown calls to providers',
    searchWords: 'proxy',
    type: 'boolean',
    default: false,
    help: 'Passes some other calls below /openai to the first remote provider. Off is safer.',
  },
] as const satisfies readonly SettingDefinition[]

export const timeouts = [
  {
    key: 'UPSTREAM_CONNECT_TIMEOUT',
    name: 'Time limit to reach a provider',
    searchWords: 'timeout slow',
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 600,
    help: 'How many seconds a provider may take to accept a connection.',
  },
  {
    key: 'UPSTREAM_FIRST_BYTE_TIMEOUT',
    name: 'Time limit for an answer to begin',
    searchWords: 'timeout slow',
    type: 'integer',
    default: 60,
    minimum: 1,
    maximum: 3600,
    help: 'How many seconds a remote provider may take before its answer begins; local runtimes get twice as long.',
  },
  {
    key: 'UPSTREAM_IDLE_TIMEOUT',
    name: 'Longest pause in an answer',
    searchWords: 'timeout slow stalled',
    type: 'integer',
    default: 120,
    minimum: 1,
    maximum: 3600,
    help: 'After how many seconds without output an answer counts as interrupted.',
  },
] as const satisfies readonly SettingDefinition[]
