import { address, foundBy, integer, secret, text, toggle } from '../rows.ts'

/** Settings of the engine that embeds texts. */
export const embedding = foundBy('rag', [
  text('RAG_EMBEDDING_ENGINE', '', {
    name: 'Embedding engine',
    searchWords: 'rag vector',
    allowed: ['', 'llmhost', 'ollama', 'openai', 'azure_openai'],
    help: 'What embeds documents: the built-in engine when empty, a local runtime, or a remote endpoint.',
  }),
  text('RAG_EMBEDDING_MODEL', '', {
    name: 'Embedding model',
    searchWords: 'rag vector',
    help: 'Model of the runtime or endpoint that embeds documents.',
  }),
  integer('RAG_EMBEDDING_BATCH_SIZE', 32, [1, 2048], {
    name: 'Passages per embedding call',
    searchWords: 'rag batch',
    help: 'How many passages are embedded in one call.',
  }),
  integer('RAG_EMBEDDING_CONCURRENT_REQUESTS', 0, [0, 100], {
    name: 'Embedding calls at once',
    help: 'How many calls to an embedding endpoint run at once; 0 leaves it to the gateway.',
  }),
  text('RAG_EMBEDDING_QUERY_PREFIX', '', {
    name: 'Text before questions',
    searchWords: 'rag embedding prefix',
    help: 'Added before the search text for models that need it; empty uses the known value for the model.',
  }),
  text('RAG_EMBEDDING_CONTENT_PREFIX', '', {
    name: 'Text before passages',
    searchWords: 'rag embedding prefix',
    help: 'Added before the passages of documents for models that need it; empty uses the known value for the model.',
  }),
  integer('RAG_VECTOR_MEMORY', 1024, [32, 65_536], {
    name: 'Index memory',
    searchWords: 'rag vector ram',
    help: 'Maximum memory for searching vectors, in MB; about 400 MB are enough for a million passages. Takes effect at the next start.',
  }),
  toggle('ENABLE_ASYNC_EMBEDDING', true, {
    name: 'Embed in parallel',
    help: 'Runs calls to an embedding endpoint in parallel.',
  }),
  address('RAG_OPENAI_API_BASE_URL', '', {
    name: 'Embedding address (OpenAI style)',
    help: 'Address of the remote embedding endpoint, without /embeddings.',
  }),
  secret('RAG_OPENAI_API_KEY', {
    name: 'Embedding API key (OpenAI style)',
    help: 'API key of the remote embedding endpoint.',
  }),
  address('RAG_LLMHOST_BASE_URL', '', {
    name: 'Embedding address (local runtime)',
    searchWords: 'rag ollama',
    alias: 'RAG_OLLAMA_BASE_URL',
    help: 'Local runtime that embeds; empty uses the first one connected.',
  }),
  secret('RAG_LLMHOST_API_KEY', {
    name: 'Embedding API key (local runtime)',
    searchWords: 'rag ollama',
    alias: 'RAG_OLLAMA_API_KEY',
    help: 'API key of the local runtime that embeds.',
  }),
  address('RAG_AZURE_OPENAI_BASE_URL', '', {
    name: 'Embedding address (Azure)',
    help: 'Address of the Azure embedding deployment.',
  }),
  secret('RAG_AZURE_OPENAI_API_KEY', {
    name: 'Embedding API key (Azure)',
    help: 'API key of the Azure embedding deployment.',
  }),
  text('RAG_AZURE_OPENAI_API_VERSION', '', {
    name: 'Embedding API version (Azure)',
    help: 'API version of the Azure embedding deployment.',
  }),
])

/** Settings of the engine that ranks passages. */
export const reranking = foundBy('rag', [
  text('RAG_RERANKING_ENGINE', '', {
    name: 'Reranking engine',
    allowed: ['', 'llmhost', 'external'],
    help: 'What reranks the passages that were found: nothing when empty, a model of the built-in runtime, or an external endpoint.',
  }),
  text('RAG_RERANKING_MODEL', '', {
    name: 'Reranking model',
    help: 'Model of the runtime or endpoint that ranks passages.',
  }),
  address('RAG_EXTERNAL_RERANKER_URL', '', {
    name: 'Reranker address',
    help: 'Address of the endpoint that ranks passages.',
  }),
  secret('RAG_EXTERNAL_RERANKER_API_KEY', {
    name: 'Reranker API key',
    help: 'API key of the endpoint that ranks passages.',
  }),
  integer('RAG_EXTERNAL_RERANKER_TIMEOUT', 10, [1, 600], {
    name: 'Time limit for the reranker',
    help: 'Seconds to wait for the model or endpoint that ranks passages.',
  }),
  integer('RAG_RERANKING_BATCH_SIZE', 32, [1, 1000], {
    name: 'Passages per reranking call',
    help: 'How many passages are ranked in one call.',
  }),
])
