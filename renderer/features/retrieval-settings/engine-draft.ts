import type { Setting } from '#contract/settings.ts'
import { textOf } from './documents-store.ts'

/** Kinds of embedding engines offered by the page. */
export type EngineKind = 'built-in' | 'runtime' | 'endpoint' | 'azure'

/** Form of an engine. Keys are empty unless one was typed. */
export interface EngineDraft {
  readonly kind: EngineKind
  readonly model: string
  readonly url: string
  readonly key: string
}

const NAMES: Record<
  Exclude<EngineKind, 'built-in'>,
  { engine: string; url: string; key: string }
> = {
  runtime: { engine: 'llmhost', url: 'RAG_LLMHOST_BASE_URL', key: 'RAG_LLMHOST_API_KEY' },
  endpoint: { engine: 'openai', url: 'RAG_OPENAI_API_BASE_URL', key: 'RAG_OPENAI_API_KEY' },
  azure: {
    engine: 'azure_openai',
    url: 'RAG_AZURE_OPENAI_BASE_URL',
    key: 'RAG_AZURE_OPENAI_API_KEY',
  },
}

const kindOf = (engine: string): EngineKind => {
  if (engine === '') return 'built-in'
  if (engine === 'openai') return 'endpoint'
  return engine === 'azure_openai' ? 'azure' : 'runtime'
}

/** Returns the draft of the configured engine. */
export const toEngineDraft = (settings: readonly Setting[]): EngineDraft => {
  const kind = kindOf(textOf(settings, 'RAG_EMBEDDING_ENGINE'))
  return withKind(
    { kind, model: textOf(settings, 'RAG_EMBEDDING_MODEL'), url: '', key: '' },
    kind,
    settings,
  )
}

/** Returns the draft for another kind, with the URL stored for it. */
export const withKind = (
  draft: EngineDraft,
  kind: EngineKind,
  settings: readonly Setting[],
): EngineDraft => ({
  ...draft,
  kind,
  key: '',
  url: kind === 'built-in' ? '' : textOf(settings, NAMES[kind].url),
})

/** Returns true if a key is stored for a kind. */
export const hasKey = (settings: readonly Setting[], kind: EngineKind): boolean =>
  kind !== 'built-in' && settings.find(({ key }) => key === NAMES[kind].key)?.is_set === true

/** Returns the settings of a draft; an empty key keeps the stored one. */
export function toEngineValues({ kind, model, url, key }: EngineDraft): Record<string, string> {
  if (kind === 'built-in') return { RAG_EMBEDDING_ENGINE: '' }
  const names = NAMES[kind]
  return {
    RAG_EMBEDDING_ENGINE: names.engine,
    RAG_EMBEDDING_MODEL: model.trim(),
    [names.url]: url.trim(),
    ...(key !== '' && { [names.key]: key }),
  }
}
