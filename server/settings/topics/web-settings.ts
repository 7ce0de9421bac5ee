import { address, integer, list, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const HOST = {
  expression: /^(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?$/i,
  words: 'a host such as wiki.local or wiki.local:8080',
}
const LANGUAGE = { expression: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i, words: 'a language tag such as en' }

/** Settings of fetching web pages and searching the web. */
export const webSettings = [
  list('WEB_FETCH_ALLOWED_HOSTS', [], {
    name: 'Allowed local network hosts',
    searchWords: 'fetch url',
    pattern: HOST,
    help: 'Hosts on the local network that pages may be loaded from, each with or without a port.',
  }),
  toggle('ENABLE_LOCAL_WEB_FETCH', false, {
    name: 'Read pages on the local network',
    searchWords: 'fetch lan',
    alias: 'ENABLE_RAG_LOCAL_WEB_FETCH',
    help: 'Allows pages to be loaded from the gateway’s computer and its whole network. Anyone who can chat could then read what is served there.',
  }),
  integer('WEB_FETCH_MAX_SIZE', 20, [1, 1000], {
    name: 'Maximum web page size',
    searchWords: 'fetch',
    help: 'Maximum size of a web page or document that is loaded, in MB.',
  }),
  integer('WEB_FETCH_TIMEOUT', 30, [1, 600], {
    name: 'Time limit for web pages',
    searchWords: 'fetch',
    help: 'How many seconds loading one page may take.',
  }),
  integer('WEB_LOADER_CONCURRENT_REQUESTS', 10, [1, 100], {
    name: 'Web pages read at once',
    searchWords: 'fetch',
    help: 'How many result pages are loaded at once.',
  }),
  list('YOUTUBE_LOADER_LANGUAGE', ['en'], {
    name: 'Video caption languages',
    searchWords: 'youtube subtitles',
    pattern: LANGUAGE,
    help: 'Preferred languages of video captions, best first.',
  }),
  toggle('ENABLE_WEB_SEARCH', false, {
    name: 'Web search',
    searchWords: 'internet',
    help: 'Lets people search the web with the engine below.',
  }),
  text('WEB_SEARCH_ENGINE', '', {
    name: 'Search engine',
    searchWords: 'internet',
    allowed: ['', 'searxng', 'external'],
    help: 'What searches the web: a SearXNG server, or an endpoint that returns links.',
  }),
  integer('WEB_SEARCH_RESULT_COUNT', 3, [1, 100], {
    name: 'Results per search',
    searchWords: 'internet',
    help: 'How many results of a search are read.',
  }),
  list('WEB_SEARCH_DOMAIN_FILTER_LIST', [], {
    name: 'Sites to search or exclude',
    searchWords: 'domain filter',
    pattern: {
      expression: /^!?[^\s/?#@:]+$/,
      words: 'a domain such as example.org, or !example.org to leave one out',
    },
    help: 'Domains results may come from; a domain with ! in front is excluded.',
  }),
  toggle('BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL', false, {
    name: 'Use whole result pages',
    searchWords: 'rag',
    help: 'Sends result pages to the model as a whole instead of searching them.',
  }),
  toggle('BYPASS_WEB_SEARCH_WEB_LOADER', false, {
    name: 'Use only result excerpts',
    searchWords: 'snippet',
    help: 'Uses only the excerpts from the search engine; pages are not loaded.',
  }),
  address('SEARXNG_QUERY_URL', '', {
    name: 'SearXNG address',
    searchWords: 'search',
    help: 'Address of the SearXNG server, such as https://search.example.org/search.',
  }),
  address('EXTERNAL_WEB_SEARCH_URL', '', {
    name: 'Search service address',
    help: 'Address of the search endpoint.',
  }),
  secret('EXTERNAL_WEB_SEARCH_API_KEY', {
    name: 'Search service API key',
    help: 'API key of the search endpoint.',
  }),
] as const satisfies readonly SettingDefinition[]
