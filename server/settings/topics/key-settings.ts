import { list, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const HEADER_NAME = {
  expression: /^[!#$%&'*+.^_`|~\w-]{1,100}$/,
  words: 'the name of an HTTP header',
}
const API_PATH = { expression: /^\/\S*$/, words: 'a path that starts with /' }

export const apiKeys = [
  toggle(
    'ENABLE_API_KEYS',
    { desktop: true, server: false },
    {
      name: 'API keys',
      searchWords: 'token bearer script',
      alias: 'ENABLE_API_KEY',
      help: 'Lets people create and use API keys.',
    },
  ),
  toggle('USER_PERMISSIONS_FEATURES_API_KEYS', false, {
    name: 'API keys for everyone',
    searchWords: 'token members',
    help: 'Lets people who are not administrators have API keys too.',
  }),
  toggle('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS', false, {
    name: 'Restrict what API keys can call',
    searchWords: 'scope',
    help: 'Limits API keys to the endpoints listed in API_KEYS_ALLOWED_ENDPOINTS.',
  }),
  list('API_KEYS_ALLOWED_ENDPOINTS', [], {
    name: 'Endpoints API keys can call',
    searchWords: 'scope',
    pattern: API_PATH,
    help: 'Endpoints that restricted API keys can call, including everything below them; a path may name a single id.',
  }),
  text('CUSTOM_API_KEY_HEADER', 'x-api-key', {
    name: 'Additional header for API keys',
    searchWords: 'authorization',
    pattern: HEADER_NAME,
    help: 'An additional header that may contain an API key.',
  }),
] as const satisfies readonly SettingDefinition[]
