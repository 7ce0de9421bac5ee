import type { EmbeddingKind } from './engine.ts'

type Prefixes = Readonly<Record<EmbeddingKind, string>>

/** Models that were trained with words in front of each text, by a part of their name. */
const KNOWN: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [/\be5-|multilingual-e5|\be5\b/i, { query: 'query: ', passage: 'passage: ' }],
  [
    /mxbai-embed|snowflake-arctic-embed|bge-(small|base|large)-en/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
  [/embeddinggemma/i, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
]

/** What stands in front of texts of a model; empty settings leave it to what is known. */
export function prefixesOf(model: string, settings: Prefixes): Prefixes {
  if (settings.query !== '' || settings.passage !== '') return settings
  return KNOWN.find(([name]) => name.test(model))?.[1] ?? { query: '', passage: '' }
}
