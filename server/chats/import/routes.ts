import type { Import, ImportResult } from '#contract/imports.ts'
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
import { runImport } from './run-import.ts'
import { spoolUpload } from './spool-upload.ts'
import { startReading, type ArchiveFiles } from './start-reading.ts'

const { imports } = endpoints
/** Chats whose state is looked up in one step. */
const STEP = 20

async function* describe(
  context: ChatContext,
  session: ImportSession,
): AsyncGenerator<void, Import> {
  const place = { userId: session.userId, source: session.content.source }
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
    problems: [...problems],
    state,
    progress: { ...progress },
    result,
  }
}

/**
 * Takes an archive in and reads it; the file itself is not needed afterwards. One at a time is
 * read, as that takes much memory.
 */
function createReader(
  sessions: ImportSessions,
): (call: HttpCall<typeof imports.create>) => Promise<ImportSession> {
  let lastReading: Promise<unknown> = Promise.resolve()
  const read = (files: ArchiveFiles, signal: AbortSignal): Promise<ArchiveContent> => {
    const reading = lastReading.then(() => startReading(files, signal))
    lastReading = reading.catch(() => undefined)
    return reading
  }
  const uploading = new Set<string>()
  return async ({ caller, request, signal }) => {
    // Archives wait on the disk, so nobody may fill it with many at once.
    if (uploading.has(caller.userId))
      throw conflict('Another of your archives is being read. Wait until it is done.')
    uploading.add(caller.userId)
    const files = { path: sessions.newFile(), target: sessions.newFile() }
    let isRead = false
    try {
      await spoolUpload(request, files.path, imports.create.upload)
      const content = await read(files, signal)
      isRead = true
      return sessions.add(caller.userId, content, files.target)
    } finally {
      uploading.delete(caller.userId)
      sessions.removeFile(files.path)
      if (!isRead) sessions.removeFile(files.target)
    }
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

/** Chats from elsewhere: single records, and archives with a look at what would happen first. */
export function createImportRoutes(context: ChatContext, { folder }: { folder: string }): Route[] {
  const sessions = new ImportSessions(folder)
  const read = createReader(sessions)

  return [
    // Schemas leave out fields named `__proto__`, which are names like any other in a tree of
    // messages.
    route(imports.records, async ({ caller, json }) => {
      await requireStoring(context, caller)
      return runInTurns(importRecords(context, caller.userId, json))
    }),
    httpRoute(imports.create, async (call) => {
      await requireStoring(context, call.caller)
      return runInTurns(describe(context, await read(call)))
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
    route(imports.remove, ({ caller, params }) => {
      sessions.forget(sessions.require(caller.userId, params.import_id))
      return true as const
    }),
  ]
}
