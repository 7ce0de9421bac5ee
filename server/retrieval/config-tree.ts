import type {
  EmbeddingConfig,
  EmbeddingConfigInput,
  RetrievalConfig,
  RetrievalConfigInput,
} from '#contract/retrieval.ts'
import { type Setting, type SettingValue, settingValueSchema } from '#contract/settings.ts'
import { badRequest } from '../lib/errors.ts'
import type { RetrievalSettings } from './retrieval-settings.ts'

/** Names in the tree that differ from those of their settings. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  FILE_MAX_SIZE: 'RAG_FILE_MAX_SIZE',
  FILE_MAX_COUNT: 'RAG_FILE_MAX_COUNT',
  ALLOWED_FILE_EXTENSIONS: 'RAG_ALLOWED_FILE_EXTENSIONS',
}
/** Limits whose value 0 means none, which is null in the tree. */
const NULL_FOR_ZERO = new Set(['RAG_FILE_MAX_SIZE', 'RAG_FILE_MAX_COUNT'])
/** Settings that belong to the other page. */
const EMBEDDING = /^RAG_(EMBEDDING|OPENAI|LLMHOST|AZURE)|^ENABLE_ASYNC_EMBEDDING$/

const wireNames = new Map(Object.entries(OTHER_NAMES).map(([name, key]) => [key, name]))

/** Keys of services are never sent. */
const toWire = ({ key, secret, value }: Setting): SettingValue => {
  if (secret) return ''
  return NULL_FOR_ZERO.has(key) && value === 0 ? null : value
}

function readPart(
  settings: RetrievalSettings,
  group: Setting['group'],
): Record<string, SettingValue> {
  const rows = settings.describe().filter((row) => row.group === group && !EMBEDDING.test(row.key))
  return Object.fromEntries(rows.map((row) => [wireNames.get(row.key) ?? row.key, toWire(row)]))
}

/** Returns the settings of documents and the web under the names older clients know. */
export const readConfig = (settings: RetrievalSettings): RetrievalConfig => ({
  ...readPart(settings, 'documents'),
  status: true,
  web: readPart(settings, 'web') as RetrievalConfig['web'],
})

/**
 * Returns the changes requested by a part of the tree. Null keeps a value, and so does the empty
 * text a secret reads as.
 */
function toChanges(
  settings: RetrievalSettings,
  group: Setting['group'],
  sent: Readonly<Record<string, unknown>>,
): Record<string, SettingValue> {
  const changes: Record<string, SettingValue> = {}
  for (const { key, secret } of settings.describe().filter((row) => row.group === group)) {
    const name = wireNames.get(key) ?? key
    const raw = Object.hasOwn(sent, name) ? sent[name] : Object.hasOwn(sent, key) ? sent[key] : null
    if (raw === null || raw === undefined || (secret && raw === '')) continue
    const value = settingValueSchema.safeParse(raw)
    if (!value.success)
      throw badRequest(`${name} does not have a value a setting can have.`, {
        code: 'invalid_setting',
      })
    changes[key] = value.data
  }
  return changes
}

export async function updateConfig(
  settings: RetrievalSettings,
  { web, ...documents }: RetrievalConfigInput,
): Promise<RetrievalConfig> {
  await settings.update({
    ...toChanges(settings, 'documents', documents),
    ...toChanges(settings, 'web', web ?? {}),
  })
  return readConfig(settings)
}

export const readEmbedding = (settings: RetrievalSettings): EmbeddingConfig => ({
  status: true,
  RAG_EMBEDDING_ENGINE: settings.get('RAG_EMBEDDING_ENGINE'),
  RAG_EMBEDDING_MODEL: settings.get('RAG_EMBEDDING_MODEL'),
  RAG_EMBEDDING_BATCH_SIZE: settings.get('RAG_EMBEDDING_BATCH_SIZE'),
  ENABLE_ASYNC_EMBEDDING: settings.get('ENABLE_ASYNC_EMBEDDING'),
  RAG_EMBEDDING_CONCURRENT_REQUESTS: settings.get('RAG_EMBEDDING_CONCURRENT_REQUESTS'),
  openai_config: { url: settings.get('RAG_OPENAI_API_BASE_URL'), key: '' },
  ollama_config: { url: settings.get('RAG_LLMHOST_BASE_URL'), key: '' },
  azure_openai_config: {
    url: settings.get('RAG_AZURE_OPENAI_BASE_URL'),
    key: '',
    version: settings.get('RAG_AZURE_OPENAI_API_VERSION'),
  },
})

export async function updateEmbedding(
  settings: RetrievalSettings,
  input: EmbeddingConfigInput,
): Promise<EmbeddingConfig> {
  const { openai_config, ollama_config, azure_openai_config, ...fields } = input
  const sent: Record<string, SettingValue | undefined> = {
    ...fields,
    RAG_OPENAI_API_BASE_URL: openai_config?.url,
    RAG_OPENAI_API_KEY: openai_config?.key || undefined,
    RAG_LLMHOST_BASE_URL: ollama_config?.url,
    RAG_LLMHOST_API_KEY: ollama_config?.key || undefined,
    RAG_AZURE_OPENAI_BASE_URL: azure_openai_config?.url,
    RAG_AZURE_OPENAI_API_KEY: azure_openai_config?.key || undefined,
    RAG_AZURE_OPENAI_API_VERSION: azure_openai_config?.version,
  }
  const changes = Object.entries(sent).filter(
    (entry): entry is [string, SettingValue] => entry[1] !== undefined && entry[1] !== null,
  )
  await settings.update(Object.fromEntries(changes))
  return readEmbedding(settings)
}
