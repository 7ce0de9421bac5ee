import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Import, ImportResult } from '#contract/imports.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { ArchiveContent, ChatSummary } from './archive-chat.ts'
import { keptFilesOf } from './kept-files.ts'

/** An archive that has been read and waits to be imported. */
export interface ImportSession {
  readonly id: string
  readonly userId: string
  /** Id by which its chats are remembered; the session itself is deleted earlier. */
  readonly runId: string
  readonly content: ArchiveContent
  readonly chats: ReadonlyMap<string, ChatSummary>
  /** File with the chats that were read, one per line. */
  readonly file: string
  readonly problems: string[]
  state: Import['state']
  progress: { done: number; total: number }
  result: ImportResult | null
  /** True if the user has cancelled the import. */
  isCancelled: boolean
}

const KEPT_MILLISECONDS = 60 * 60 * 1000
const MOST_PER_USER = 2

/** Archives of all users, each kept for an hour at most. */
export class ImportSessions {
  readonly #folder: string
  readonly #onForgotten: (session: ImportSession) => void
  readonly #sessions = new Map<string, ImportSession>()

  constructor(folder: string, onForgotten: (session: ImportSession) => void) {
    this.#folder = folder
    this.#onForgotten = onForgotten
    // Files left by a former process are useless to this one.
    rmSync(folder, { recursive: true, force: true })
  }

  removeFile(file: string): void {
    rmSync(file, { force: true })
    rmSync(keptFilesOf(file), { recursive: true, force: true })
  }

  forget(session: ImportSession): void {
    session.isCancelled = true
    if (!this.#sessions.delete(session.id)) return
    this.#onForgotten(session)
    if (session.state === 'running') return
    this.removeFile(session.file)
  }

  /** Returns a path for a new file of the imports. */
  newFile(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return path.join(this.#folder, newId())
  }

  add(userId: string, content: ArchiveContent, file: string): ImportSession {
    this.#makeRoom(userId)
    const id = newId()
    const session: ImportSession = {
      id,
      userId,
      runId: id,
      content,
      file,
      chats: new Map(content.chats.map((chat) => [chat.key, chat])),
      problems: [...content.problems],
      state: 'ready',
      progress: { done: 0, total: 0 },
      result: null,
      isCancelled: false,
    }
    this.#sessions.set(session.id, session)
    setTimeout(() => this.forget(session), KEPT_MILLISECONDS).unref()
    return session
  }

  require(userId: string, id: string): ImportSession {
    const session = this.#sessions.get(id)
    if (!session || session.userId !== userId)
      throw notFound('This archive is no longer available. Choose it again.')
    return session
  }

  /** Throws 409 while an archive is being imported; does nothing for an expired one. */
  requireIdle(userId: string, id: string): void {
    const session = this.#sessions.get(id)
    if (session?.userId === userId && session.state === 'running')
      throw conflict('This archive is being imported. Stop that first.')
  }

  /** Marks a session as being imported; throws 409 if it already is. */
  begin(session: ImportSession, total: number): void {
    if (session.state === 'running') throw conflict('This archive is being imported already.')
    session.state = 'running'
    session.progress = { done: 0, total }
  }

  end(session: ImportSession, result: ImportResult | null): void {
    session.state = result ? 'done' : 'ready'
    session.result = result
    if (!this.#sessions.has(session.id)) this.removeFile(session.file)
  }

  #makeRoom(userId: string): void {
    const own = [...this.#sessions.values()].filter(
      (session) => session.userId === userId && session.state !== 'running',
    )
    for (const session of own.slice(0, Math.max(0, own.length - MOST_PER_USER + 1)))
      this.forget(session)
  }
}
