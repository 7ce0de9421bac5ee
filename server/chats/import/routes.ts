import type { Import, ImportResult, ImportSource } from '#contract/imports.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest, conflict } from '../../lib/errors.ts'
import { httpRoute, route, type HttpCall, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { ChatContext } from '../chat-context.ts'
import { requireStoring } from '../require-permitted.ts'
import type { ArchiveContent } from './archive-chat.ts'
import { findState } from './import-chat.ts'
import { importRecords } from './import-records.ts'
import { ImportSessions, type ImportSession } from './import-sessions.ts'
import { requireProgram, searchPrograms, type OtherPrograms } from './open-program.ts'
import type { FoundProgram } from './programs/index.ts'
import { runImport } from './run-import.ts'
import { spoolUpload } from './spool-upload.ts'
import { startReading, type ArchiveFiles } from './start-reading.ts'
import { undoImport } from './undo-import.ts'

const { imports } = endpoints
/** Number of chats whose state is looked up in one step. */
const STEP = 20
/** Maximum number of imports listed for undo. */
const MOST_RUNS = 20

async function* describe(
  context: ChatContext,
  session: ImportSession,
): AsyncGenerator<void, Import> {
  const place = { userId: session.userId, source: session.content.source, runId: session.runId }
  const chats: Import['chats'] = []
  for (const summary of session.chats.values()) {
    const { key, title, created_at, message_count, branch_count } = summary
    chats.push({
      key,
      title,
      created_at,
      message_count,
      branch_count,
      state: await findState(context, place, summary),
    })
    if (chats.length % STEP === 0) yield
  }
  const { id, problems, state, progress, result } = session
  return {
    import_id: id,
    source: place.source,
    chats,
    folder_count: session.content.folders.length,
    problems: [...problems],
    state,
    progress: { ...progress },
    result,
  }
}

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

async function run(
  { context, sessions }: { context: ChatContext; sessions: ImportSessions },
  session: ImportSession,
  keys: readonly string[] | null,
): Promise<ImportResult> {
  const wanted =
    keys === null
      ? [...session.chats.values()]
      : [...new Set(keys)].flatMap((key) => session.chats.get(key) ?? [])
  if (wanted.length === 0)
    throw badRequest('Choose the chats to import by their "keys", or send "all": true.')
  sessions.begin(session, wanted.length)
  let result: ImportResult | null = null
  try {
    result = await runInTurns(runImport(context, session, wanted))
    return result
  } finally {
    sessions.end(session, result)
  }
}

/** Creates the routes for importing chats: single records, and archives with a preview. */
export function createImportRoutes(
  context: ChatContext,
  { folder, programs }: { folder: string; programs: OtherPrograms },
): Route[] {
  const sessions = new ImportSessions(folder)
  const reader = createReader(sessions)

  return [
    // Schemas omit fields named `__proto__`, which are ordinary names in a tree of messages.
    route(imports.records, async ({ caller, json }) => {
      await requireStoring(context, caller)
      return runInTurns(importRecords(context, caller.userId, json))
    }),
    httpRoute(imports.create, async (call) => {
      await requireStoring(context, call.caller)
      return runInTurns(describe(context, await reader.upload(call)))
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
      return runInTurns(describe(context, await reader.open(caller.userId, program, signal)))
    }),
    route(imports.get, ({ caller, params }) =>
      runInTurns(describe(context, sessions.require(caller.userId, params.import_id))),
    ),
    route(imports.run, async ({ caller, params, body }) => {
      await requireStoring(context, caller)
      return run(
        { context, sessions },
        sessions.require(caller.userId, params.import_id),
        body.all === true ? null : (body.keys ?? []),
      )
    }),
    route(imports.undo, ({ caller, params }) => {
      sessions.requireIdle(caller.userId, params.import_id)
      return runInTurns(undoImport(context, caller.userId, params.import_id))
    }),
    route(imports.remove, ({ caller, params }) => {
      sessions.forget(sessions.require(caller.userId, params.import_id))
      return true as const
    }),
  ]
}
