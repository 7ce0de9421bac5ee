import { mapInOrder } from '../lib/in-order.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { QueryDocument, QueryResult } from '#contract/retrieval.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { route, type Route } from '../lib/http.ts'
import type { RetrievalSettings } from './retrieval-settings.ts'
import { createRetrievalConfigRoutes } from './config-routes.ts'
import { createEngineRoutes } from './engine-routes.ts'
import type { Passage } from './passage.ts'
import type { Retrieval } from './retrieval.ts'
import { createProcessRoutes, type ProcessDoors } from './process-routes.ts'

/** Services of later modules that the routes need. */
export interface RetrievalDoors extends Omit<ProcessDoors, 'settings' | 'retrieval' | 'files'> {
  readonly settings: RetrievalSettings
  readonly retrieval: Retrieval
  readonly files: ProcessDoors['files'] & { removeAll(): Promise<void> }
}

const isOfFile = (documentId: string): boolean => !/^(web|text)-/.test(documentId)

const toMetadata = ({
  chunk_id,
  document_id,
  text: _text,
  preface: _preface,
  ...passage
}: Passage) => ({
  ...passage,
  source: passage.name,
  chunk_id,
  ...(isOfFile(document_id) && { file_id: document_id }),
})

/** Nests lists in lists, because the reference system returns one list per query. */
const toResult = (passages: readonly Passage[]): QueryResult => ({
  ids: [passages.map(({ chunk_id }) => String(chunk_id))],
  distances: [passages.map(({ score }) => score)],
  documents: [passages.map(({ preface, text }) => (preface === '' ? text : `${preface}\n${text}`))],
  metadatas: [passages.map(toMetadata)],
})

type Query = Omit<QueryDocument, 'collection_name'>

/**
 * Creates the routes under `/api/v1/retrieval`. Collection names are always checked for the calling
 * user.
 */
export function createRetrievalRoutes(doors: RetrievalDoors): Route[] {
  const { settings, retrieval, collections, files } = doors

  async function search(
    scopes: readonly string[],
    { query, k, k_reranker, r, hybrid, hybrid_bm25_weight: weight }: Query,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    if (query.trim() === '') throw badRequest('The question is empty.')
    const options = {
      ...(typeof k === 'number' && { limit: k }),
      ...(typeof k_reranker === 'number' && { rerankLimit: k_reranker }),
      ...(typeof weight === 'number' && { wordWeight: weight }),
      ...(typeof r === 'number' && { threshold: r }),
      ...(typeof hybrid === 'boolean' && {
        mode: hybrid ? ('hybrid' as const) : ('vector' as const),
      }),
    }
    return toResult(
      await retrieval.search({ texts: [query], collections: scopes, ...options }, signal),
    )
  }

  return [
    ...createProcessRoutes(doors),
    ...createRetrievalConfigRoutes(settings),
    ...createEngineRoutes(retrieval),
    route(endpoints.retrieval.queryDocument, async ({ caller, body, signal }) =>
      search(
        [(await collections.require(caller, body.collection_name, 'read')).scope],
        body,
        signal,
      ),
    ),
    route(endpoints.retrieval.queryCollections, async ({ caller, body, signal }) => {
      const scopes = await mapInOrder(
        body.collection_names,
        async (name) => (await collections.require(caller, name, 'read')).scope,
      )
      return search([...new Set(scopes)], body, signal)
    }),
    route(endpoints.retrieval.remove, async ({ caller, body }) => {
      const { scope } = await collections.require(caller, body.collection_name, 'write')
      if (!(await retrieval.collections.documents(scope)).includes(body.file_id))
        throw notFound('There is no such file in this collection.')
      await retrieval.collections.remove(scope, body.file_id)
      return { status: true }
    }),
    route(endpoints.retrieval.resetIndex, async () => {
      await collections.removeAll()
      await retrieval.reindex()
    }),
    route(endpoints.retrieval.resetUploads, () => files.removeAll()),
  ]
}
