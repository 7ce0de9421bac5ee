import type { EmbeddingKind } from './engine.ts'

type Prefixes = Readonly<Record<EmbeddingKind, string>>

/** Prefixes of models that were trained with them, by a part of the model's name. */
const KNOWN: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [/\be5-|multilingual-e5|\be5\b/i, { query: 'query: ', passage: 'passage: ' }],
  [
    /mxbai-embed|snowflake-arctic-embed|bge-(small|base|large)-en/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
  [/embeddinggemma/i, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
]

/** Returns the prefixes of a model; if the settings are empty, the known ones. */
export function prefixesOf(model: string, settings: Prefixes): Prefixes {
  if (settings.query !== '' || settings.passage !== '') return settings
  return KNOWN.find(([name]) => name.test(model))?.[1] ?? { query: '', passage: '' }
}
