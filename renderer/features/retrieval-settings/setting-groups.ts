import type { Setting } from '#contract/settings.ts'

/**
 * Sections of the page with their settings, the important ones first. Those of the engine and the
 * template have separate forms.
 */
export const SETTING_PARTS = Object.freeze([
  {
    part: 'search',
    keys: [
      'TOP_K',
      'RELEVANCE_THRESHOLD',
      'ENABLE_RAG_HYBRID_SEARCH',
      'HYBRID_BM25_WEIGHT',
      'RAG_FULL_CONTEXT',
      'BYPASS_EMBEDDING_AND_RETRIEVAL',
      'RAG_SYSTEM_CONTEXT',
      'RAG_FILE_WAIT_SECONDS',
    ],
  },
  {
    part: 'passages',
    keys: [
      'CHUNK_SIZE',
      'CHUNK_OVERLAP',
      'CHUNK_MIN_SIZE_TARGET',
      'TEXT_SPLITTER',
      'ENABLE_MARKDOWN_HEADER_TEXT_SPLITTER',
    ],
  },
  {
    part: 'reranking',
    keys: [
      'RAG_RERANKING_ENGINE',
      'RAG_RERANKING_MODEL',
      'RAG_EXTERNAL_RERANKER_URL',
      'RAG_EXTERNAL_RERANKER_API_KEY',
      'TOP_K_RERANKER',
      'RAG_EXTERNAL_RERANKER_TIMEOUT',
      'RAG_RERANKING_BATCH_SIZE',
    ],
  },
  {
    part: 'uploads',
    keys: [
      'RAG_FILE_MAX_SIZE',
      'RAG_FILE_MAX_COUNT',
      'FILE_QUOTA_PER_USER',
      'RAG_ALLOWED_FILE_EXTENSIONS',
      'FILE_RETENTION_DAYS',
    ],
  },
  {
    part: 'reading',
    keys: ['PDF_LOADER_MODE', 'PDF_EXTRACT_IMAGES', 'CONTENT_EXTRACTION_TIMEOUT'],
  },
  {
    part: 'pages',
    keys: [
      'WEB_FETCH_MAX_SIZE',
      'WEB_FETCH_TIMEOUT',
      'WEB_FETCH_ALLOWED_HOSTS',
      'ENABLE_LOCAL_WEB_FETCH',
      'WEB_LOADER_CONCURRENT_REQUESTS',
      'YOUTUBE_LOADER_LANGUAGE',
    ],
  },
  {
    part: 'web',
    keys: [
      'ENABLE_WEB_SEARCH',
      'WEB_SEARCH_ENGINE',
      'SEARXNG_QUERY_URL',
      'EXTERNAL_WEB_SEARCH_URL',
      'EXTERNAL_WEB_SEARCH_API_KEY',
      'WEB_SEARCH_RESULT_COUNT',
      'WEB_SEARCH_DOMAIN_FILTER_LIST',
      'BYPASS_WEB_SEARCH_WEB_LOADER',
      'BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL',
    ],
  },
  {
    part: 'engineCalls',
    keys: [
      'RAG_EMBEDDING_BATCH_SIZE',
      'RAG_EMBEDDING_CONCURRENT_REQUESTS',
      'ENABLE_ASYNC_EMBEDDING',
      'RAG_EMBEDDING_QUERY_PREFIX',
      'RAG_EMBEDDING_CONTENT_PREFIX',
      'RAG_VECTOR_MEMORY',
    ],
  },
] as const)

export type PlacedKey = (typeof SETTING_PARTS)[number]['keys'][number]

/** Settings with separate forms. */
const ELSEWHERE = /^RAG_(TEMPLATE|EMBEDDING_ENGINE|EMBEDDING_MODEL|OPENAI_|LLMHOST_|AZURE_OPENAI_)/

const placed: ReadonlySet<string> = new Set(SETTING_PARTS.flatMap(({ keys }) => [...keys]))

/** Returns document and web settings not assigned to a section, so that none is missing. */
export const findUnplaced = (settings: readonly Setting[]): readonly Setting[] =>
  settings.filter(
    ({ key, group }) =>
      (group === 'documents' || group === 'web') && !placed.has(key) && !ELSEWHERE.test(key),
  )
