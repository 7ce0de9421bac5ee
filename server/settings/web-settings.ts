import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

const HOST = {
  expression: /^(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?$/i,
  words: 'a host such as wiki.local or wiki.local:8080',
}
const LANGUAGE = { expression: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i, words: 'a language tag such as en' }
const COUNT = { type: 'integer', minimum: 1, maximum: 100 } as const

/** Fetching web pages, and searching the web. */
export const webSettings = [
  {
    key: 'WEB_FETCH_ALLOWED_HOSTS',
    type: 'list',
    default: [],
    pattern: HOST,
    help: 'Hosts of the own network that pages may be fetched from, each with or without a port.',
  },
  {
    key: 'ENABLE_LOCAL_WEB_FETCH',
    alias: 'ENABLE_RAG_LOCAL_WEB_FETCH',
    type: 'boolean',
    default: false,
    help: 'Pages may be fetched from this computer and its whole network. Anybody who may chat could read what is served there.',
  },
  {
    key: 'WEB_FETCH_MAX_SIZE',
    type: 'integer',
    default: 20,
    minimum: 1,
    maximum: 1000,
    help: 'Largest web page or document fetched, in MB.',
  },
  {
    key: 'WEB_FETCH_TIMEOUT',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 600,
    help: 'Seconds fetching one page may take.',
  },
  {
    key: 'WEB_LOADER_CONCURRENT_REQUESTS',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 100,
    help: 'How many found pages are fetched at once.',
  },
  {
    key: 'YOUTUBE_LOADER_LANGUAGE',
    type: 'list',
    default: ['en'],
    pattern: LANGUAGE,
    help: 'Languages of captions read from videos, the best first.',
  },
  {
    key: 'ENABLE_WEB_SEARCH',
    type: 'boolean',
    default: false,
    help: 'The web can be searched through the engine below.',
  },
  {
    key: 'WEB_SEARCH_ENGINE',
    type: 'string',
    default: '',
    allowed: ['', 'searxng', 'external'],
    help: 'What searches the web: a SearXNG server, or an endpoint that answers with links.',
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
    help: 'Domains results may come from; one with ! in front is left out.',
  },
  {
    key: 'BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL',
    type: 'boolean',
    default: false,
    help: 'Found pages go to the model as a whole instead of being searched.',
  },
  {
    key: 'BYPASS_WEB_SEARCH_WEB_LOADER',
    type: 'boolean',
    default: false,
    help: 'Only what the search engine says of a page is used; pages are not fetched.',
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
    help: 'Key of the search endpoint.',
  },
] as const satisfies readonly SettingDefinition[]
