import type { ImportSource } from '#contract/imports.ts'
import { endpoints } from '#contract/endpoints.ts'
import { conflict } from '../../lib/errors.ts'
import { httpRoute, route, type HttpCall, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { ChatContext } from '../chat-context.ts'
import { requirePrompts, requireStoring } from '../require-permitted.ts'
import type { ArchiveContent } from './archive-chat.ts'
import type { ImportCalls } from './import-calls.ts'
import { importRecords } from './import-records.ts'
import type { ImportSession, ImportSessions } from './import-sessions.ts'
import { requireProgram, searchPrograms, type OtherPrograms } from './open-program.ts'
import type { FoundProgram } from './programs/index.ts'
import { spoolUpload } from './spool-upload.ts'
import { startReading, type ArchiveFiles } from './start-reading.ts'
import { undoImport } from './undo-import.ts'

const { imports } = endpoints
/** Maximum number of imports listed for undo. */
const MOST_RUNS = 20

/**
 * Creates the functions that receive an archive and read it; the file itself is not needed
 * afterwards. Archives are read one at a time, because that takes much memory.
 */
function createReader(sessions: ImportSessions): {
  upload: (call: HttpCall<typeof imports.create>) => Promise<ImportSession>
  open: (userId: string, program: FoundProgram, signal: AbortSignal) => Promise<ImportSession>
} {
  let lastReading: Promise<unknown> = Promise.resolve()
  const read = (files: ArchiveFiles, signal: AbortSignal): Promise<ArchiveContent> => {
    const reading = lastReading.then(() => startReading(files, signal))
    lastReading = reading.catch(() => undefined)
    return reading
  }
  const uploading = new Set<string>()
  async function take(
    userId: string,
    target: string,
    begin: () => Promise<ArchiveContent>,
  ): Promise<ImportSession> {
    // Archives are stored on disk, so a user may not upload many at once.
    if (uploading.has(userId))
      throw conflict('Another of your archives is being read. Wait until it is done.')
    uploading.add(userId)
    let isRead = false
    try {
      const content = await begin()
      isRead = true
      return sessions.add(userId, content, target)
    } finally {
      uploading.delete(userId)
      if (!isRead) sessions.removeFile(target)
    }
  }
  return {
    async upload({ caller, request, signal }) {
      const files = { path: sessions.newFile(), target: sessions.newFile() }
      try {
        return await take(caller.userId, files.target, async () => {
          await spoolUpload(request, files.path, imports.create.upload)
          return read(files, signal)
        })
      } finally {
        sessions.removeFile(files.path)
      }
    },
    open(userId, { source, path }, signal) {
      const files = { program: source, path, target: sessions.newFile() }
      return take(userId, files.target, () => read(files, signal))
    },
  }
}

/** Creates the routes for importing chats: single records, and archives with a preview. */
export function createImportRoutes(
  context: ChatContext,
  { calls, programs }: { calls: ImportCalls; programs: OtherPrograms },
): Route[] {
  const reader = createReader(calls.sessions)

  return [
    // Schemas omit fields named `__proto__`, which are ordinary names in a tree of messages.
    route(imports.records, async ({ caller, json }) => {
      await requireStoring(context, caller)
      return runInTurns(importRecords(context, caller.userId, json))
    }),
    httpRoute(imports.create, async (call) => {
      await requireStoring(context, call.caller)
      return calls.present(await reader.upload(call))
    }),
    route(imports.runs, async ({ caller }) =>
      (await context.imports.runs(caller.userId, MOST_RUNS)).map(({ run_id, source, ...run }) => ({
        ...run,
        import_id: run_id,
        source: source as ImportSource,
      })),
    ),
    httpRoute(imports.findPrograms, async ({ request }) => searchPrograms(programs, request)),
    httpRoute(imports.openProgram, async ({ caller, params, request, signal }) => {
      const program = requireProgram(programs, request, params.program_id)
      await requireStoring(context, caller)
      return calls.present(await reader.open(caller.userId, program, signal))
    }),
    route(imports.get, ({ caller, params }) =>
      calls.make({ kind: 'describe', userId: caller.userId, importId: params.import_id }),
    ),
    route(imports.run, async ({ caller, params, body }) => {
      await requireStoring(context, caller)
      const prompts = body.prompts === true
      if (prompts) await requirePrompts(context, caller)
      return calls.make({
        kind: 'run',
        userId: caller.userId,
        importId: params.import_id,
        keys: body.all === true ? null : (body.keys ?? []),
        prompts,
        files: await context.permits(caller, 'chat.file_upload'),
      })
    }),
    route(imports.undo, async ({ caller, params }) => {
      const { userId } = caller
      await calls.make({ kind: 'check-idle', userId, importId: params.import_id })
      return runInTurns(undoImport(context, userId, params.import_id))
    }),
    route(imports.remove, ({ caller, params }) =>
      calls.make({ kind: 'forget', userId: caller.userId, importId: params.import_id }),
    ),
  ]
}
