import { randomUUID } from 'node:crypto'
import { endpoints } from '#contract/endpoints.ts'
import type { ProcessedPage, ProcessedText, SearchHit } from '#contract/retrieval.ts'
import { badRequest, notFound, ServiceError } from '../lib/errors.ts'
import { asJsonPieces, route, type Caller, type Route } from '../lib/http.ts'
import { nextTurn } from '../lib/turns.ts'
import type { RetrievalSettings } from './retrieval-settings.ts'
import type { CollectionNames, NamedCollection } from './collection-names.ts'
import type { ExtractedDocument } from './extraction/index.ts'
import type { Retrieval } from './retrieval.ts'
import type { WebReader } from './web/read-page.ts'
import type { WebPage } from './web/web-page.ts'

/** The fields of a stored file used here. */
interface StoredFile {
  readonly id: string
  readonly user_id: string
  readonly filename: string
  readonly status: 'pending' | 'completed' | 'failed'
  readonly error: string | null
}

/** Services of later modules that are needed here. */
export interface ProcessDoors {
  readonly settings: RetrievalSettings
  readonly retrieval: Pick<Retrieval, 'index' | 'forget' | 'collections'>
  readonly collections: CollectionNames
  readonly reader: WebReader
  readonly searchWeb: (queries: readonly string[], signal: AbortSignal) => Promise<SearchHit[]>
  readonly files: {
    /** Returns null for both a missing and a foreign file. */
    get(userId: string, id: string): Promise<StoredFile | null>
    content(id: string): Promise<ExtractedDocument | null>
    process(id: string): Promise<StoredFile>
    updateContent(id: string, text: string): Promise<void>
  }
  readonly knowledge: {
    /**
     * Adds a file the caller may share to a collection the caller may change; does nothing if it is
     * already there.
     */
    addFile(caller: Caller, knowledgeId: string, fileId: string): Promise<void>
    /**
     * Stores a text as a file of the collection. With `overwrite` it replaces the one with the same
     * source.
     */
    keepText(
      caller: Caller,
      knowledgeId: string,
      text: { name: string; text: string; source: string; overwrite: boolean },
    ): Promise<void>
  }
}

const PIECE = 64 * 1024

/**
 * Yields the JSON of an object that ends with a long text, piece by piece; no piece ends inside a
 * character.
 */
function* withText(
  head: object,
  fields: readonly string[],
  tail: string,
  text: string,
): Generator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const field of fields) {
    yield `,${field}`
    for (let start = 0; start < text.length;) {
      const isSplit = /[\uD800-\uDBFF]/.test(text[Math.min(start + PIECE, text.length) - 1]!)
      const end = start + PIECE + (isSplit ? 1 : 0)
      yield JSON.stringify(text.slice(start, end)).slice(1, -1)
      start = end
    }
    yield '"'
  }
  yield tail
}

const replyText = (head: Omit<ProcessedText, 'content'>, text: string): ProcessedText =>
  asJsonPieces(withText(head, ['"content":"'], '}', text))

function replyPage(page: WebPage, collectionName: string | null): ProcessedPage {
  const head = {
    status: true,
    collection_name: collectionName,
    filename: page.name,
    notices: page.content.notices,
  }
  const meta = JSON.stringify({ name: page.name, source: page.url })
  return asJsonPieces(
    withText(head, ['"content":"', '"file":{"data":{"content":"'], `},"meta":${meta}}}`, page.text),
  )
}

const toDocument = (text: string, title: string | null): ExtractedDocument => ({
  text: text.replace(/\r\n?/g, '\n'),
  format: 'text',
  title,
  pages: [],
  language: null,
  notices: [],
})

interface Written {
  readonly target: NamedCollection
  readonly kind: 'web' | 'text'
  readonly name: string
  readonly content: ExtractedDocument
  readonly source: string
  readonly overwrite: boolean
}

/**
 * Writes a page or a text to a collection. The version it replaces stays searchable until the new
 * one is ready.
 */
async function write(
  doors: ProcessDoors,
  caller: Caller,
  written: Written,
  signal: AbortSignal,
): Promise<void> {
  const { retrieval, knowledge, settings, collections } = doors
  const { target, kind, name, content, source, overwrite } = written
  if (target.kind === 'knowledge')
    return knowledge.keepText(caller, target.knowledgeId, {
      name,
      text: content.text,
      source,
      overwrite,
    })
  if (target.kind === 'file')
    throw badRequest('The collection of a file holds that file alone. Choose another collection.')
  if (settings.get('BYPASS_EMBEDDING_AND_RETRIEVAL')) return
  const id = `${kind}-${randomUUID()}`
  await retrieval.index({ id, kind, name, content, metadata: { source } }, { signal })
  // Reading takes time: the collection may be deleted meanwhile, including with the caller's
  // account.
  const before = overwrite ? await retrieval.collections.documents(target.scope) : []
  const isStillOwn = async (): Promise<boolean> =>
    (await collections.resolve(caller, target.name, 'write'))?.scope === target.scope
  if (!(await retrieval.collections.addWhile(target.scope, id, isStillOwn))) {
    await retrieval.forget(id)
    throw notFound('This collection was deleted while it was written to.')
  }
  for (const documentId of before) {
    await retrieval.collections.remove(target.scope, documentId)
    await retrieval.forget(documentId)
  }
}

function createFileRoutes(doors: ProcessDoors): Route[] {
  const { files, collections, knowledge } = doors
  const { retrieval } = endpoints
  const missing = () => notFound('There is no such file.')

  /**
   * Extracts a file that has not been extracted yet; permitted for its owner and administrators.
   */
  async function complete(caller: Caller, fileId: string): Promise<StoredFile> {
    const file = await files.get(caller.userId, fileId)
    if (!file) throw missing()
    const isTheirs = file.user_id === caller.userId || caller.role === 'admin'
    const done = file.status !== 'completed' && isTheirs ? await files.process(fileId) : file
    if (done.status === 'failed')
      throw badRequest(done.error ?? 'The file could not be read.', { code: 'unreadable' })
    return done
  }
  async function place(caller: Caller, name: string): Promise<string> {
    const target = await collections.require(caller, name, 'write')
    if (target.kind !== 'knowledge')
      throw badRequest('Files can be put into collections of files only.')
    return target.knowledgeId
  }

  return [
    route(retrieval.processFile, async ({ caller, body }) => {
      const file = await files.get(caller.userId, body.file_id)
      if (!file) throw missing()
      const own = `file-${file.id}`
      const knowledgeId =
        body.collection_name && body.collection_name !== own
          ? await place(caller, body.collection_name)
          : null
      if (typeof body.content === 'string') {
        if (file.user_id !== caller.userId && caller.role !== 'admin') throw missing()
        await files.updateContent(file.id, body.content)
      }
      const { filename } = await complete(caller, file.id)
      if (knowledgeId !== null) await knowledge.addFile(caller, knowledgeId, file.id)
      const head = { status: true, collection_name: knowledgeId ?? own, filename } as const
      return replyText(head, (await files.content(file.id))?.text ?? '')
    }),
    route(retrieval.processFiles, async ({ caller, body }) => {
      const knowledgeId = await place(caller, body.collection_name)
      const results: { file_id: string; status: 'completed' | 'failed'; error: string | null }[] =
        []
      for (const item of body.files) {
        await nextTurn()
        const fileId = typeof item === 'string' ? item : item.id
        try {
          await complete(caller, fileId)
          await knowledge.addFile(caller, knowledgeId, fileId)
          results.push({ file_id: fileId, status: 'completed', error: null })
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          results.push({ file_id: fileId, status: 'failed', error: error.message })
        }
      }
      return {
        results: results.filter(({ error }) => error === null),
        errors: results.filter(({ error }) => error !== null),
      }
    }),
  ]
}

function createTextRoutes(doors: ProcessDoors): Route[] {
  const { collections, reader } = doors
  const { retrieval } = endpoints
  return [
    route(retrieval.processText, async ({ caller, body, signal }) => {
      const { name, content: text } = body
      if (text.trim() === '')
        throw badRequest(
          'The content provided is empty. Please ensure that there is text or data present.',
        )
      const named = body.collection_name || null
      const target =
        named === null
          ? await collections.openGenerated(caller, text, 'text')
          : await collections.open(caller, named, 'text')
      const written = {
        target,
        kind: 'text',
        name,
        content: toDocument(text, name),
        source: name,
        overwrite: named === null,
      } as const
      await write(doors, caller, written, signal)
      return replyText(
        { status: true, collection_name: 'name' in target ? target.name : named!, filename: name },
        text,
      )
    }),
    route(retrieval.processWeb, async ({ caller, query, body, signal }) => {
      const { url } = body
      const named = body.collection_name || null
      const isKept = query.process ?? true
      // Names are checked before anything is fetched, and created only if there is something to
      // store.
      if (isKept && named !== null) await collections.checkName(caller, named)
      const page = await reader.read(url, signal)
      if (!isKept) return replyPage(page, null)
      const target =
        named === null
          ? await collections.openGenerated(caller, url, 'web')
          : await collections.open(caller, named, 'web')
      const written = {
        target,
        kind: 'web',
        name: page.name,
        content: page.content,
        source: page.url,
        overwrite: query.overwrite ?? true,
      } as const
      await write(doors, caller, written, signal)
      return replyPage(page, 'name' in target ? target.name : named)
    }),
  ]
}

/** Reads the pages of a search concurrently; omits unreadable ones. */
async function readHits(
  { reader, settings }: ProcessDoors,
  hits: readonly SearchHit[],
  signal: AbortSignal,
): Promise<WebPage[]> {
  const waiting = [...hits]
  const pages: WebPage[] = []
  const work = async (): Promise<void> => {
    for (let hit = waiting.shift(); hit; hit = waiting.shift()) {
      try {
        pages.push(await reader.read(hit.link, signal))
      } catch (error) {
        if (!(error instanceof ServiceError) || signal.aborted) throw error
      }
    }
  }
  await Promise.all(
    Array.from(
      { length: Math.min(settings.get('WEB_LOADER_CONCURRENT_REQUESTS'), hits.length) },
      work,
    ),
  )
  return pages
}

const fromSnippets = (hits: readonly SearchHit[]): WebPage[] =>
  hits.flatMap(({ link, title, snippet }) =>
    snippet === null || snippet.trim() === ''
      ? []
      : [
          {
            url: link,
            title,
            name: title ?? link,
            text: snippet,
            content: toDocument(snippet, title),
          },
        ],
  )

function createSearchRoute(doors: ProcessDoors): Route {
  const { settings, retrieval, collections, searchWeb } = doors
  return route(endpoints.retrieval.searchWeb, async ({ caller, body, signal }) => {
    const items = await searchWeb(body.queries, signal)
    if (items.length === 0) throw notFound('The search found nothing.', { code: 'no_results' })
    const pages = settings.get('BYPASS_WEB_SEARCH_WEB_LOADER')
      ? fromSnippets(items)
      : await readHits(doors, items, signal)
    if (pages.length === 0)
      throw notFound('None of the pages that were found could be read.', { code: 'no_results' })
    const answer = {
      status: true as const,
      items,
      filenames: pages.map(({ url }) => url),
      loaded_count: pages.length,
    }
    if (settings.get('BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL')) {
      const docs = pages.map(({ url, name, text }) => ({
        content: text,
        metadata: { source: url, name, title: name },
      }))
      return { ...answer, collection_name: null, collection_names: [], docs }
    }
    const target = await collections.openGenerated(
      caller,
      body.queries.join('\n'),
      'web',
      'web-search-',
    )
    const before = await retrieval.collections.documents(target.scope)
    for (const { name, url, content } of pages) {
      await write(
        doors,
        caller,
        { target, kind: 'web', name, content, source: url, overwrite: false },
        signal,
      )
    }
    for (const documentId of before) await retrieval.forget(documentId)
    return { ...answer, collection_name: target.name, collection_names: [target.name] }
  })
}

/** Creates the routes that add files, texts and pages to the index. */
export const createProcessRoutes = (doors: ProcessDoors): Route[] => [
  ...createFileRoutes(doors),
  ...createTextRoutes(doors),
  createSearchRoute(doors),
]
