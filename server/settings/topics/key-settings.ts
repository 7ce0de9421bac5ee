import type { SettingDefinition } from '../setting-definition.ts'

const HEADER_NAME = {
  expression: /^[!#$%&'*+.^_`|~\w-]{1,100}$/,
  words: 'the name of an HTTP header',
}
const API_PATH = { expression: /^\/\S*$/, words: 'a path that starts with /' }

export const apiKeys = [
  {
    key: 'ENABLE_API_KEYS',
    name: 'API keys',
    searchWords: 'token bearer script',
    alias: 'ENABLE_API_KEY',
    type: 'boolean',
    default: { desktop: true, server: false },
    help: 'Lets people create and use API keys.',
  },
  {
    key: 'USER_PERMISSIONS_FEATURES_API_KEYS',
    name: 'API keys for everyone',
    searchWords: 'token members',
    type: 'boolean',
    default: false,
    help: 'Lets people who are not administrators have API keys too.',
  },
  {
    key: 'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS',
    name: 'Restrict what API keys can call',
    searchWords: 'scope',
    type: 'boolean',
    default: false,
    help: 'Limits API keys to the endpoints listed in API_KEYS_ALLOWED_ENDPOINTS.',
  },
  {
    key: 'API_KEYS_ALLOWED_ENDPOINTS',
    name: 'Endpoints API keys can call',
    searchWords: 'scope',
    type: 'list',
    default: [],
    pattern: API_PATH,
    help: 'Endpoints that restricted API keys can call, including everything below them.',
  },
  {
    key: 'CUSTOM_API_KEY_HEADER',
    name: 'Additional header for API keys',
    searchWords: 'authorization',
    type: 'string',
    default: 'x-api-key',
    pattern: HEADER_NAME,
    help: 'An additional header that may contain an API key.',
  },
] as const satisfies readonly SettingDefinition[]
