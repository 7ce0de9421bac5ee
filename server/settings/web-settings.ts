import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

const HOST = {
  expression: /^(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?$/i,
  words: 'a host such as wiki.local or wiki.local:8080',
}
const LANGUAGE = { expression: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i, words: 'a language tag such as en' }
const COUNT = { type: 'integer', minimum: 1, maximum: 100 } as const

/** Settings of fetching web pages and searching the web. */
export const webSettings = [
  {
    key: 'WEB_FETCH_ALLOWED_HOSTS',
    type: 'list',
    default: [],
    pattern: HOST,
    help: 'Hosts on the local network that pages may be loaded from, each with or without a port.',
  },
  {
    key: 'ENABLE_LOCAL_WEB_FETCH',
    alias: 'ENABLE_RAG_LOCAL_WEB_FETCH',
    type: 'boolean',
    default: false,
    help: 'Allows pages to be loaded from the gateway’s computer and its whole network. Anyone who can chat could then read what is served there.',
  },
  {
    key: 'WEB_FETCH_MAX_SIZE',
    type: 'integer',
    default: 20,
    minimum: 1,
    maximum: 1000,
    help: 'Maximum size of a web page or document that is loaded, in MB.',
  },
  {
    key: 'WEB_FETCH_TIMEOUT',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 600,
    help: 'How many seconds loading one page may take.',
  },
  {
    key: 'WEB_LOADER_CONCURRENT_REQUESTS',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 100,
    help: 'How many result pages are loaded at once.',
  },
  {
    key: 'YOUTUBE_LOADER_LANGUAGE',
    type: 'list',
    default: ['en'],
    pattern: LANGUAGE,
    help: 'Preferred languages of video captions, best first.',
  },
  {
    key: 'ENABLE_WEB_SEARCH',
    type: 'boolean',
    default: false,
    help: 'Lets people search the web with the engine below.',
  },
  {
    key: 'WEB_SEARCH_ENGINE',
    type: 'string',
    default: '',
    allowed: ['', 'searxng', 'external'],
    help: 'What searches the web: a SearXNG server, or an endpoint that returns links.',
  },
  {
    key: 'WEB_SEARCH_RESULT_COUNT',
    ...COUNT,
    default: 3,
    help: 'How many results of a search are read.',
  },
  {
    key: 'WEB_SEARCH_DOMAIN_FILTER_LIST',
    type: 'list',
    default: [],
    pattern: {
      expression: /^!?[^\s/?#@:]+$/,
      words: 'a domain such as example.org, or !example.org to leave one out',
    },
    help: 'Domains results may come from; a domain with ! in front is excluded.',
  },
  {
    key: 'BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL',
    type: 'boolean',
    default: false,
    help: 'Sends result pages to the model as a whole instead of searching them.',
  },
  {
    key: 'BYPASS_WEB_SEARCH_WEB_LOADER',
    type: 'boolean',
    default: false,
    help: 'Uses only the excerpts from the search engine; pages are not loaded.',
  },
  {
    key: 'SEARXNG_QUERY_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Address of the SearXNG server, such as https://search.example.org/search.',
  },
  {
    key: 'EXTERNAL_WEB_SEARCH_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Address of the search endpoint.',
  },
  {
    key: 'EXTERNAL_WEB_SEARCH_API_KEY',
    type: 'string',
    default: '',
    secret: true,
    help: 'API key of the search endpoint.',
  },
] as const satisfies readonly SettingDefinition[]
