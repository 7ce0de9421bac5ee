import { address, integer, list, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'
import { WEB_ADDRESS } from '../web-address.ts'

export const connections = [
  toggle('ENABLE_LLMHOST_API', true, {
    name: 'Local runtimes',
    searchWords: 'ollama connections',
    alias: 'ENABLE_OLLAMA_API',
    help: 'Uses local runtimes, for chats and under /llmhost.',
  }),
  toggle('ENABLE_BUILT_IN_RUNTIME', true, {
    name: 'Built-in runtime',
    help: 'Runs models of the folder "models" in the data folder, without another program.',
  }),
  list('MODEL_MIRRORS', ['https://huggingface.co'], {
    name: 'Hubs for models',
    pattern: WEB_ADDRESS,
    help: 'Hubs that models are downloaded from by the name of their repository, tried one after the other.',
  }),
  address('CUDA_PACKAGE_REGISTRY', 'https://registry.npmjs.org', {
    name: 'Registry for CUDA files',
    searchWords: 'nvidia gpu graphics card npm mirror',
    help: 'npm registry from which the files of the built-in runtime for NVIDIA cards are downloaded on request.',
  }),
  list('MODEL_FOLDERS', [], {
    name: 'Model folders of other programs',
    separator: /;/,
    help: 'Folders of other programs whose model files the built-in runtime uses where they are; separated by semicolons.',
  }),
  toggle('ENABLE_OPENAI_API', true, {
    name: 'Remote providers',
    searchWords: 'connections',
    help: 'Uses remote chat-completions providers.',
  }),
  toggle('ENABLE_OPENAI_API_PASSTHROUGH', false, {
    name: 'Pass unknown calls to providers',
    searchWords: 'proxy',
    help: 'Passes some other calls below /openai to the first remote provider. Off is safer.',
  }),
] as const satisfies readonly SettingDefinition[]

export const timeouts = [
  integer('UPSTREAM_CONNECT_TIMEOUT', 5, [1, 600], {
    name: 'Time limit to reach a provider',
    searchWords: 'timeout slow',
    help: 'How many seconds a provider may take to accept a connection.',
  }),
  integer('UPSTREAM_FIRST_BYTE_TIMEOUT', 60, [1, 3600], {
    name: 'Time limit for an answer to begin',
    searchWords: 'timeout slow',
    help: 'How many seconds a remote provider may take before its answer begins; local runtimes get twice as long.',
  }),
  integer('UPSTREAM_IDLE_TIMEOUT', 120, [1, 3600], {
    name: 'Longest pause in an answer',
    searchWords: 'timeout slow stalled',
    help: 'After how many seconds without output an answer counts as interrupted.',
  }),
] as const satisfies readonly SettingDefinition[]
