import { endpoints } from '#contract/endpoints.ts'
import type { KnowledgeFilePage } from '#contract/knowledge-files.ts'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { asJsonPieces, httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import { toJsonPage } from '../lib/json/json-array.ts'
import { runInTurns } from '../lib/turns.ts'
import { addFile, addFiles, moveFile, removeFile, updateFile } from './change-files.ts'
import { createDirectory, removeDirectory, updateDirectory } from './change-directories.ts'
import {
  createKnowledgeRow,
  removeKnowledge,
  resetKnowledge,
  updateKnowledge,
} from './change-knowledge.ts'
import { sendZip } from './export-zip.ts'
import type { KnowledgeUses } from './knowledge-uses.ts'
import { requireKnowledge, writeRecord, type KnowledgeContext } from './knowledge-context.ts'
import {
  listPendingFiles,
  pageFiles,
  pageKnowledge,
  searchFiles,
  writeAll,
} from './list-knowledge.ts'
import { compareWithFolder, cleanUp } from './sync.ts'
import type { KnowledgeRow } from './store.ts'

type Page<Item> = { items: Item[]; total: number }

function createListRoutes(context: KnowledgeContext): Route[] {
  const { knowledge } = endpoints
  return [
    ...[knowledge.list, knowledge.search].map((row) =>
      route(row, async ({ caller, query }) =>
        asJsonPieces<Page<KnowledgeRecord>>(
          toJsonPage(await pageKnowledge(context, caller, query)),
        ),
      ),
    ),
    route(knowledge.all, ({ caller, query }) =>
      asJsonPieces<KnowledgeRecord[]>(writeAll(context, caller, query)),
    ),
    route(knowledge.searchFiles, async ({ caller, query }) => {
      const { items, total } = await searchFiles(context, caller, query)
      return { items: [...items], total }
    }),
    route(knowledge.files, async ({ caller, params, query }) =>
      asJsonPieces<KnowledgeFilePage>(
        toJsonPage(await pageFiles(context, caller, params.knowledge_id, query)),
      ),
    ),
    route(knowledge.pendingFiles, ({ caller, params }) =>
      listPendingFiles(context, caller, params.knowledge_id),
    ),
  ]
}

function createFileRoutes(
  context: KnowledgeContext,
  reply: (caller: Caller, row: KnowledgeRow, more?: object) => Promise<KnowledgeRecord>,
): Route[] {
  const { knowledge } = endpoints
  return [
    route(knowledge.addFile, async ({ caller, params, body }) =>
      reply(caller, await addFile(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.updateFile, async ({ caller, params, body }) =>
      reply(caller, await updateFile(context, caller, params.knowledge_id, body.file_id)),
    ),
    route(knowledge.removeFile, async ({ caller, params, query, body }) =>
      reply(
        caller,
        await removeFile(context, caller, params.knowledge_id, {
          fileId: body.file_id,
          deletes: query.delete_file ?? true,
        }),
      ),
    ),
    route(knowledge.addFiles, async ({ caller, params, body }) => {
      const { row, errors } = await runInTurns(addFiles(context, caller, params.knowledge_id, body))
      const warnings = {
        message: `${errors.length} of ${body.length} files could not be added.`,
        errors,
      }
      return reply(caller, row, errors.length === 0 ? {} : { warnings })
    }),
    route(knowledge.moveFile, async ({ caller, params, body }) => {
      await moveFile(context, caller, params.knowledge_id, body)
      return { status: true as const }
    }),
    route(knowledge.createDirectory, ({ caller, params, body }) =>
      createDirectory(context, caller, params.knowledge_id, body),
    ),
    route(knowledge.updateDirectory, ({ caller, params, body }) =>
      updateDirectory(
        context,
        caller,
        { id: params.knowledge_id, directoryId: params.directory_id },
        body,
      ),
    ),
    route(knowledge.removeDirectory, async ({ caller, params }) => {
      await removeDirectory(context, caller, params.knowledge_id, params.directory_id)
      return { status: true as const }
    }),
    route(knowledge.compare, ({ caller, params, body }) =>
      runInTurns(compareWithFolder(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.cleanUp, async ({ caller, params, body }) => ({
      status: true as const,
      removed: await runInTurns(cleanUp(context, caller, params.knowledge_id, body)),
    })),
  ]
}

function createReindexRoutes(context: KnowledgeContext): Route[] {
  const { knowledge } = endpoints
  const { storage, linkStore, retrieval } = context
  return [
    route(knowledge.reindexAll, async () => {
      await retrieval.reindex([
        ...new Set((await linkStore.allLinks()).map(({ file_id }) => file_id)),
      ])
    }),
    route(knowledge.reindexMetadata, async () => {
      const links = await linkStore.allLinks()
      for (const { knowledge_id, file_id } of links)
        await storage.transaction(async () => {
          // It may have been removed since the list was read.
          if (await linkStore.link(knowledge_id, file_id))
            await retrieval.collections.add(knowledge_id, file_id)
        })
      const total = new Set(links.map(({ knowledge_id }) => knowledge_id)).size
      return { total, success: total }
    }),
    route(knowledge.reindex, async ({ caller, params }) => {
      await requireKnowledge(context, caller, params.knowledge_id, 'write')
      await retrieval.reindex(
        (await linkStore.links(params.knowledge_id)).map(({ file_id }) => file_id),
      )
    }),
  ]
}

export function createKnowledgeRoutes(context: KnowledgeContext, uses: KnowledgeUses): Route[] {
  const { knowledge } = endpoints
  const reply = async (
    caller: Caller,
    { id }: KnowledgeRow,
    more: object = {},
  ): Promise<KnowledgeRecord> =>
    asJsonPieces(
      writeRecord(context, caller, await requireKnowledge(context, caller, id, 'read'), more),
    )
  return [
    ...createListRoutes(context),
    route(knowledge.create, async ({ caller, body }) =>
      reply(caller, await createKnowledgeRow(context, caller, body)),
    ),
    ...createReindexRoutes(context),
    route(knowledge.get, async ({ caller, params }) =>
      reply(caller, await requireKnowledge(context, caller, params.knowledge_id, 'read')),
    ),
    route(knowledge.update, async ({ caller, params, body }) =>
      reply(caller, await updateKnowledge(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.updateAccess, async ({ caller, params, body }) =>
      reply(caller, await updateKnowledge(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.uses, async ({ caller, params }) => {
      await requireKnowledge(context, caller, params.knowledge_id, 'read')
      return uses(caller, params.knowledge_id)
    }),
    ...createFileRoutes(context, reply),
    route(knowledge.reset, async ({ caller, params }) =>
      reply(caller, await resetKnowledge(context, caller, params.knowledge_id)),
    ),
    httpRoute(knowledge.export, async ({ caller, params, response, signal }) =>
      sendZip(
        context,
        await requireKnowledge(context, caller, params.knowledge_id, 'read'),
        response,
        signal,
      ),
    ),
    route(knowledge.remove, async ({ caller, params, query }) => {
      await runInTurns(
        removeKnowledge(context, caller, params.knowledge_id, query.delete_files ?? false),
      )
    }),
  ]
}
