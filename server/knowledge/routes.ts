import { endpoints } from '#contract/endpoints.ts'
import type { KnowledgeFilePage } from '#contract/knowledge-files.ts'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { asJsonPieces, httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import { toJsonPage } from '../lib/json-array.ts'
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
      route(row, ({ caller, query }) =>
        asJsonPieces<Page<KnowledgeRecord>>(toJsonPage(pageKnowledge(context, caller, query))),
      ),
    ),
    route(knowledge.all, ({ caller, query }) =>
      asJsonPieces<KnowledgeRecord[]>(writeAll(context, caller, query)),
    ),
    route(knowledge.searchFiles, ({ caller, query }) => {
      const { items, total } = searchFiles(context, caller, query)
      return { items: [...items], total }
    }),
    route(knowledge.files, ({ caller, params, query }) =>
      asJsonPieces<KnowledgeFilePage>(
        toJsonPage(pageFiles(context, caller, params.knowledge_id, query)),
      ),
    ),
    route(knowledge.pendingFiles, ({ caller, params }) =>
      listPendingFiles(context, caller, params.knowledge_id),
    ),
  ]
}

function createFileRoutes(
  context: KnowledgeContext,
  reply: (caller: Caller, row: KnowledgeRow, more?: object) => KnowledgeRecord,
): Route[] {
  const { knowledge } = endpoints
  return [
    route(knowledge.addFile, ({ caller, params, body }) =>
      reply(caller, addFile(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.updateFile, ({ caller, params, body }) =>
      reply(caller, updateFile(context, caller, params.knowledge_id, body.file_id)),
    ),
    route(knowledge.removeFile, ({ caller, params, query, body }) =>
      reply(
        caller,
        removeFile(context, caller, params.knowledge_id, {
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
    route(knowledge.moveFile, ({ caller, params, body }) => {
      moveFile(context, caller, params.knowledge_id, body)
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
    route(knowledge.removeDirectory, ({ caller, params }) => {
      removeDirectory(context, caller, params.knowledge_id, params.directory_id)
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
  const { linkStore, retrieval } = context
  return [
    route(knowledge.reindexAll, () => {
      retrieval.reindex([...new Set(linkStore.allLinks().map(({ file_id }) => file_id))])
      return true as const
    }),
    route(knowledge.reindexMetadata, () => {
      const links = linkStore.allLinks()
      for (const { knowledge_id, file_id } of links)
        retrieval.collections.add(knowledge_id, file_id)
      const total = new Set(links.map(({ knowledge_id }) => knowledge_id)).size
      return { total, success: total }
    }),
    route(knowledge.reindex, ({ caller, params }) => {
      requireKnowledge(context, caller, params.knowledge_id, 'write')
      retrieval.reindex(linkStore.links(params.knowledge_id).map(({ file_id }) => file_id))
      return true as const
    }),
  ]
}

export function createKnowledgeRoutes(context: KnowledgeContext, uses: KnowledgeUses): Route[] {
  const { knowledge } = endpoints
  const reply = (caller: Caller, { id }: KnowledgeRow, more: object = {}): KnowledgeRecord =>
    asJsonPieces(writeRecord(context, caller, requireKnowledge(context, caller, id, 'read'), more))
  return [
    ...createListRoutes(context),
    route(knowledge.create, ({ caller, body }) =>
      reply(caller, createKnowledgeRow(context, caller, body)),
    ),
    ...createReindexRoutes(context),
    route(knowledge.get, ({ caller, params }) =>
      reply(caller, requireKnowledge(context, caller, params.knowledge_id, 'read')),
    ),
    route(knowledge.update, ({ caller, params, body }) =>
      reply(caller, updateKnowledge(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.updateAccess, ({ caller, params, body }) =>
      reply(caller, updateKnowledge(context, caller, params.knowledge_id, body)),
    ),
    route(knowledge.uses, ({ caller, params }) => {
      requireKnowledge(context, caller, params.knowledge_id, 'read')
      return uses(caller, params.knowledge_id)
    }),
    ...createFileRoutes(context, reply),
    route(knowledge.reset, ({ caller, params }) =>
      reply(caller, resetKnowledge(context, caller, params.knowledge_id)),
    ),
    httpRoute(knowledge.export, ({ caller, params, response, signal }) =>
      sendZip(
        context,
        requireKnowledge(context, caller, params.knowledge_id, 'read'),
        response,
        signal,
      ),
    ),
    route(knowledge.remove, async ({ caller, params, query }) => {
      await runInTurns(
        removeKnowledge(context, caller, params.knowledge_id, query.delete_files ?? false),
      )
      return true as const
    }),
  ]
}
