import { closeSync, openSync, readSync } from 'node:fs'
import type { ImportResult } from '#contract/imports.ts'
import { ServiceError } from '../../lib/errors.ts'
import { parseJsonInSteps } from '../../lib/parse-json.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ArchiveChat, ChatSummary } from './archive-chat.ts'
import { importChat } from './import-chat.ts'
import { createFolderFinder } from './import-folders.ts'
import type { ImportSession } from './import-sessions.ts'

const MOST_PROBLEMS = 200

function* readLine(file: number, { offset, length }: ChatSummary): Generator<void, ArchiveChat> {
  const line = Buffer.alloc(length)
  readSync(file, line, 0, length, offset)
  return (yield* parseJsonInSteps(line)).value as ArchiveChat
}

/** Reports a chat that cannot be stored; an error of the storage ends the import. */
function noteFailure(session: ImportSession, summary: ChatSummary, error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error
  if (session.problems.length < MOST_PROBLEMS)
    session.problems.push(`${JSON.stringify(summary.title)}: ${error.message}`)
}

/** Imports chats of an archive, in short steps, until all are done or the user cancels. */
export async function* runImport(
  context: ChatContext,
  session: ImportSession,
  summaries: readonly ChatSummary[],
): AsyncGenerator<void, ImportResult> {
  const result: ImportResult = { created: 0, updated: 0, unchanged: 0, failed: 0, created_ids: [] }
  const place = { userId: session.userId, source: session.content.source, runId: session.runId }
  const folderFor = createFolderFinder(context, place, session.content.folders)
  const file = openSync(session.file, 'r')
  try {
    for (const summary of summaries) {
      if (session.isCancelled) break
      try {
        const { outcome, chatId } = yield* importChat(context, place, {
          summary,
          folderFor,
          read: () => readLine(file, summary),
        })
        result[outcome] += 1
        if (outcome === 'created') result.created_ids.push(chatId)
      } catch (error) {
        noteFailure(session, summary, error)
        result.failed += 1
      }
      session.progress.done += 1
      yield
    }
  } finally {
    closeSync(file)
    await context.backlog.wake()
    context.announce.allChanged(session.userId, 'imported')
  }
  return result
}
