import { closeSync, openSync, readSync } from 'node:fs'
import type { ImportResult } from '#contract/imports.ts'
import { ServiceError } from '../../lib/errors.ts'
import { parseJsonInSteps } from '../../lib/json/parse-json.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ArchiveChat, ChatSummary } from './archive-chat.ts'
import { importChat } from './import-chat.ts'
import { createFileCarrier } from './import-files.ts'
import { createFolderFinder } from './import-folders.ts'
import { importPrompt } from './import-prompt.ts'
import type { ImportSession } from './import-sessions.ts'

const MOST_PROBLEMS = 200

function* readLine(file: number, { offset, length }: ChatSummary): Generator<void, ArchiveChat> {
  const line = Buffer.alloc(length)
  readSync(file, line, 0, length, offset)
  return (yield* parseJsonInSteps(line)).value as ArchiveChat
}

function noteProblem({ problems }: ImportSession, sentence: string): void {
  if (problems.length < MOST_PROBLEMS) problems.push(sentence)
}

/** Reports an item that cannot be stored; an error of the storage ends the import. */
function noteFailure(session: ImportSession, title: string, error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error
  noteProblem(session, `${JSON.stringify(title)}: ${error.message}`)
}

/** Items of a session to import. */
interface ImportWish {
  readonly chats: readonly ChatSummary[]
  readonly prompts: boolean
  /** False leaves the files of the chats out. */
  readonly files: boolean
  /** Returns the path of a new temporary file. */
  readonly newFile: () => string
}

/** Imports the prompts of a program, in short steps. */
async function* importPrompts(
  context: ChatContext,
  session: ImportSession,
  result: ImportResult['prompts'],
): AsyncGenerator<void, void> {
  const place = { userId: session.userId, source: session.content.source, runId: session.runId }
  for (const prompt of session.content.prompts) {
    if (session.isCancelled) return
    try {
      result[await importPrompt(context, place, prompt)] += 1
    } catch (error) {
      noteFailure(session, prompt.name, error)
      result.failed += 1
    }
    session.progress.done += 1
    yield
  }
}

/** Imports chats of an archive, in short steps, until all are done or the user cancels. */
export async function* runImport(
  context: ChatContext,
  session: ImportSession,
  { chats, prompts, files, newFile }: ImportWish,
): AsyncGenerator<void, ImportResult> {
  const result: ImportResult = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    created_ids: [],
    prompts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
  }
  const place = { userId: session.userId, source: session.content.source, runId: session.runId }
  const folderFor = createFolderFinder(context, place, session.content.folders)
  const carryFiles = createFileCarrier(files ? context : { ...context, fileShelf: null }, place, {
    files: session.content.files,
    newFile,
    onFailure: (name) => noteProblem(session, `The file "${name}" cannot be read and is left out.`),
  })
  const file = openSync(session.file, 'r')
  try {
    for (const summary of chats) {
      if (session.isCancelled) break
      try {
        const { outcome, chatId } = yield* importChat(context, place, {
          summary,
          folderFor,
          carryFiles,
          read: () => readLine(file, summary),
        })
        result[outcome] += 1
        if (outcome === 'created') result.created_ids.push(chatId)
      } catch (error) {
        noteFailure(session, summary.title, error)
        result.failed += 1
      }
      session.progress.done += 1
      yield
    }
    if (prompts) yield* importPrompts(context, session, result.prompts)
  } finally {
    closeSync(file)
    await context.backlog.wake()
    context.announce.allChanged(session.userId, 'imported')
  }
  return result
}
