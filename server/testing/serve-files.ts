import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { FileNews } from '#contract/files.ts'
import { Files } from '../files/index.ts'
import type { FilesDependencies } from '../files/files-dependencies.ts'
import { createLogger } from '../lib/logger.ts'
import { Extraction } from '../retrieval/extraction/index.ts'
import type { ExtractedDocument } from '../retrieval/index.ts'
import { createPeople } from './create-people.ts'
import { createTemporaryFolder } from './create-temporary-folder.ts'
import { readReply } from './read-reply.ts'
import { CALLER_HEADER, serveTestRoutes } from './serve-test-routes.ts'

type Index = FilesDependencies['retrieval']

/** Creates an index that records its input; the real one is tested with the whole gateway. */
export function createNotingIndex() {
  const documents = new Map<string, ExtractedDocument>()
  const documentNames = new Map<string, string>()
  const collections = new Map<string, Set<string>>()
  const index: Index = {
    index: async ({ id, name, content }, { signal }) => {
      signal.throwIfAborted()
      documentNames.set(id, name)
      documents.set(id, content)
      return { chunks: 1, tokens: 1 }
    },
    rename: async (id, name) => void documentNames.set(id, name),
    forget: async (id) => void documents.delete(id),
    forgetAll: async (ids) => ids.forEach((id) => documents.delete(id)),
    collections: {
      add: async (name, id) =>
        void collections.set(name, (collections.get(name) ?? new Set()).add(id)),
      addWhile: async (name, id, isThere) => {
        if (!(await isThere())) return false
        collections.set(name, (collections.get(name) ?? new Set()).add(id))
        return true
      },
      remove: async (name, id) => void collections.get(name)?.delete(id),
      documents: async (name) => [...(collections.get(name) ?? [])],
      clear: async (name) => collections.get(name)?.clear(),
      drop: async (name) => void collections.delete(name),
    },
  }
  return { index, documents, documentNames, collections }
}

/** For tests of files alone, without domains that could use them. */
export const nothingUses: FilesDependencies['uses'] = () =>
  Promise.resolve({ collections: [], chats: 0, folders: 0, models: [], others: 0 })

export interface ServeFilesOptions {
  readonly dataDir?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly extraction?: FilesDependencies['extraction']
}

/** Returns every file below a folder, by relative path. */
export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    : []

/**
 * Serves the file routes with real extraction, for an administrator, an owner and a friend, until
 * the end of the test.
 */
export async function serveFiles({
  dataDir = createTemporaryFolder(),
  environment,
  extraction,
}: ServeFilesOptions = {}) {
  const people = await createPeople(environment)
  const ids = {
    admin: (await people.addCaller('root', 'admin')).userId,
    owner: (await people.addCaller('owner')).userId,
    friend: (await people.addCaller('friend')).userId,
  }
  const { index, documents, documentNames } = createNotingIndex()
  const news: { userId: string; news: FileNews }[] = []
  const readers = new Extraction({ timeLimit: () => 30_000 })
  const files = new Files({
    uses: nothingUses,
    ...people,
    events: { emit: (userId, { data }) => void news.push({ userId, news: data.data as FileNews }) },
    extraction: extraction ?? readers,
    retrieval: index,
    dataDir,
    log: createLogger(process.env['TEST_LOG'] === '1' ? 'error' : 'silent'),
  })
  await files.resume()
  const server = await serveTestRoutes(files.routes)
  onTestFinished(async () => {
    await server.close()
    await files.close()
    await readers.close()
  })
  const callerOf = (name: keyof typeof ids): string =>
    name === 'admin' ? `admin:${ids.admin}` : ids[name]
  const as =
    (name: keyof typeof ids) => (target: string, call?: Parameters<typeof server.call>[2]) =>
      server.call(callerOf(name), target, call)
  const raw = (name: keyof typeof ids, target: string, init: RequestInit = {}): Promise<Response> =>
    fetch(server.origin + target, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), [CALLER_HEADER]: callerOf(name) },
    })

  /** Uploads a file and waits until it was processed. */
  async function upload(
    filename: string,
    content: string | Uint8Array<ArrayBuffer>,
    {
      as: name = 'owner',
      query = '?process_in_background=false',
      metadata,
    }: { as?: keyof typeof ids; query?: string; metadata?: string } = {},
  ) {
    const form = new FormData()
    form.set('file', new Blob([content]), filename)
    if (metadata !== undefined) form.set('metadata', metadata)
    return readReply(await raw(name, `/api/v1/files/${query}`, { method: 'POST', body: form }))
  }
  return {
    ...people,
    ids,
    files,
    documents,
    documentNames,
    news,
    dataDir,
    raw,
    upload,
    origin: server.origin,
    admin: as('admin'),
    owner: as('owner'),
    friend: as('friend'),
  }
}

/** One served file domain. */
export type ServedFiles = Awaited<ReturnType<typeof serveFiles>>
