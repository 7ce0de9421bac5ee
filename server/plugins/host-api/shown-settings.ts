import { z } from '#contract/lazy-zod.ts'
import type { HostParts } from './dependencies.ts'
import { readParams, type HostMethod } from './method.ts'

/** Settings visible to plugins, by the names plugins know; others do not exist for them. */
const SHOWN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'WEBUI_NAME',
      'WEBUI_URL',
      'DEFAULT_LOCALE',
      'DEFAULT_MODELS',
      'DEFAULT_PINNED_MODELS',
      'DEFAULT_PROMPT_SUGGESTIONS',
      'DEFAULT_USER_ROLE',
      'MODEL_ORDER_LIST',
      'ENABLE_SIGNUP',
      'ENABLE_API_KEYS',
      'ENABLE_FOLDERS',
      'ENABLE_NOTES',
      'ENABLE_MEMORIES',
      'ENABLE_CHANNELS',
      'ENABLE_USER_STATUS',
      'ENABLE_MESSAGE_RATING',
      'ENABLE_COMMUNITY_SHARING',
      'ENABLE_EVALUATION_ARENA_MODELS',
      'OFFLINE_MODE',
      'TASK_MODEL',
      'TASK_MODEL_EXTERNAL',
      'ENABLE_TITLE_GENERATION',
      'TITLE_GENERATION_PROMPT_TEMPLATE',
      'ENABLE_TAGS_GENERATION',
      'TAGS_GENERATION_PROMPT_TEMPLATE',
      'ENABLE_FOLLOW_UP_GENERATION',
      'FOLLOW_UP_GENERATION_PROMPT_TEMPLATE',
      'ENABLE_SEARCH_QUERY_GENERATION',
      'ENABLE_RETRIEVAL_QUERY_GENERATION',
      'QUERY_GENERATION_PROMPT_TEMPLATE',
      'TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE',
      'IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE',
      'ENABLE_AUTOCOMPLETE_GENERATION',
      'TOP_K',
      'TOP_K_RERANKER',
      'RELEVANCE_THRESHOLD',
      'ENABLE_RAG_HYBRID_SEARCH',
      'RAG_FULL_CONTEXT',
      'BYPASS_EMBEDDING_AND_RETRIEVAL',
      'RAG_TEMPLATE',
      'CHUNK_SIZE',
      'CHUNK_OVERLAP',
      'TEXT_SPLITTER',
      'RAG_EMBEDDING_ENGINE',
      'RAG_EMBEDDING_MODEL',
      'RAG_EMBEDDING_BATCH_SIZE',
      'RAG_RERANKING_ENGINE',
      'RAG_RERANKING_MODEL',
      'ENABLE_WEB_SEARCH',
      'WEB_SEARCH_ENGINE',
      'WEB_SEARCH_RESULT_COUNT',
      'WEB_SEARCH_DOMAIN_FILTER_LIST',
      'BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL',
      'BYPASS_WEB_SEARCH_WEB_LOADER',
      'YOUTUBE_LOADER_LANGUAGE',
      'ENABLE_OPENAI_API',
      'ENABLE_IMAGE_GENERATION',
      'ENABLE_IMAGE_PROMPT_GENERATION',
      'IMAGE_GENERATION_ENGINE',
      'IMAGE_GENERATION_MODEL',
      'IMAGE_SIZE',
      'IMAGE_STEPS',
      'ENABLE_IMAGE_EDIT',
      'IMAGE_EDIT_ENGINE',
      'IMAGE_EDIT_MODEL',
      'IMAGE_EDIT_SIZE',
    ].map((name) => [name, name]),
  ),
  AUDIO_STT_ENGINE: 'AUDIO_STT_ENGINE',
  AUDIO_TTS_ENGINE: 'AUDIO_TTS_ENGINE',
  FILE_MAX_SIZE: 'RAG_FILE_MAX_SIZE',
  FILE_MAX_COUNT: 'RAG_FILE_MAX_COUNT',
  ALLOWED_FILE_EXTENSIONS: 'RAG_ALLOWED_FILE_EXTENSIONS',
  ENABLE_OLLAMA_API: 'ENABLE_LLMHOST_API',
}

/** Settings of the reference system that this gateway does not have. */
const ABSENT: Readonly<Record<string, unknown>> = {
  TOOL_SERVER_CONNECTIONS: [],
}

/** Returns the current values of the settings. Omits names no plugin may see, and all secrets. */
function readSettings({ settings }: HostParts): Record<string, unknown> {
  const rows = new Map(settings.describe().map((row) => [row.key, row]))
  const entries = Object.entries(SHOWN).flatMap(([name, key]) => {
    const row = rows.get(key)
    if (!row || row.secret) return []
    return [[name, settings.exported(row)] as const]
  })
  return { ...ABSENT, ...Object.fromEntries(entries) }
}

const paramsSchema = z.object({ names: z.array(z.string().max(200)).max(500).optional() })

export const configMethods = (parts: HostParts): Readonly<Record<string, HostMethod>> => ({
  'config.get': (request) => {
    const { names } = readParams(paramsSchema, request)
    const values = readSettings(parts)
    if (!names) return values
    return Object.fromEntries(
      names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
    )
  },
})
