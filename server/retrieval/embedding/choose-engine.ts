import { badRequest, unavailable } from '../../lib/errors.ts'
import type { ProviderAddress, Providers } from '../../providers/index.ts'
import type { SettingName, Settings } from '../../settings/index.ts'
import { createBuiltInEngine } from './built-in/index.ts'
import type { EngineState } from './engine-state.ts'
import type { EmbeddingEngine } from './engine.ts'
import { prefixesOf } from './prefixes.ts'
import { createRemoteEngine } from './remote-engine.ts'

export type EngineSettingName = Extract<
  SettingName,
  `RAG_${'EMBEDDING' | 'OPENAI' | 'AZURE_OPENAI' | 'LLMHOST'}_${string}`
>
/** Settings that select an engine. */
export type EngineSettings = Settings<EngineSettingName>

/** The engine selected by the settings. */
export interface ChosenEngine {
  readonly engine: EmbeddingEngine
  readonly kind: EngineState['kind']
  readonly model: string | null
}

/** Remote models may accept long texts; passages are split by the settings alone. */
const REMOTE_TOKENS = 8192

const AZURE_PATH = '/openai/v1'

type Address = Omit<ProviderAddress, 'name'>

/** Returns the configured URL; null if the connections are to be searched. */
function addressOf(settings: EngineSettings, kind: string): Address | null {
  if (kind === 'openai') {
    const url = settings.get('RAG_OPENAI_API_BASE_URL')
    return url === '' ? null : { kind: 'compatible', url, key: settings.get('RAG_OPENAI_API_KEY') }
  }
  if (kind === 'azure_openai') {
    const base = settings.get('RAG_AZURE_OPENAI_BASE_URL').replace(/\/+$/, '')
    const key = settings.get('RAG_AZURE_OPENAI_API_KEY')
    const url = base === '' || base.includes('/openai') ? base : `${base}${AZURE_PATH}`
    return { kind: 'compatible', url, key: '', headers: { 'api-key': key } }
  }
  const url = settings.get('RAG_LLMHOST_BASE_URL')
  return url === '' ? null : { kind: 'runtime', url, key: settings.get('RAG_LLMHOST_API_KEY') }
}

async function findModel(providers: Providers, publicId: string) {
  const found = providers.findCached(publicId) ?? (await providers.find(publicId))
  if (!found)
    throw unavailable(
      `No connection has the embedding model "${publicId}". Install it, or choose another one in the settings.`,
    )
  return { provider: found.provider, model: found.model.id }
}

/** Returns the engine of the current settings. Nothing is contacted before the first text. */
export function chooseEngine(settings: EngineSettings, providers: Providers): ChosenEngine {
  const kind = settings.get('RAG_EMBEDDING_ENGINE')
  if (kind === '') return { engine: createBuiltInEngine(), kind: 'built-in', model: null }
  const model = settings.get('RAG_EMBEDDING_MODEL')
  const family = kind === 'openai' || kind === 'azure_openai' ? 'compatible' : 'runtime'
  const prefixes = prefixesOf(model, {
    query: settings.get('RAG_EMBEDDING_QUERY_PREFIX'),
    passage: settings.get('RAG_EMBEDDING_CONTENT_PREFIX'),
  })
  const address = addressOf(settings, kind)
  let opened: ReturnType<Providers['openProvider']> | null = null
  const engine = createRemoteEngine({
    // The prefix affects the meaning of vectors; the location of the model does not.
    id: [family, model, ...(prefixes.passage === '' ? [] : [prefixes.passage])].join(' '),
    prefixes,
    maximumTokens: REMOTE_TOKENS,
    batch: () => settings.get('RAG_EMBEDDING_BATCH_SIZE'),
    async reach() {
      if (model === '')
        throw badRequest('No embedding model is chosen. Choose one in the settings of documents.')
      if (!address) return findModel(providers, model)
      if (address.url === '')
        throw badRequest(
          'The embedding endpoint has no address. Enter it in the settings of documents.',
        )
      opened ??= providers.openProvider({ ...address, name: 'embedding' })
      return { provider: opened.provider, model }
    },
    close: async () => opened?.close(),
  })
  return { engine, kind: family, model }
}
