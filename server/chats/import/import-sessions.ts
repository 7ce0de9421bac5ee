import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Import, ImportResult } from '#contract/imports.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { ArchiveContent, ChatSummary } from './archive-chat.ts'

/** An archive that was read and waits to be imported. */
export interface ImportSession {
  readonly id: string
  readonly userId: string
  readonly content: ArchiveContent
  readonly chats: ReadonlyMap<string, ChatSummary>
  /** The chats that were read, one a line. */
  readonly file: string
  readonly problems: string[]
  state: Import['state']
  progress: { done: number; total: number }
  result: ImportResult | null
  /** Somebody wants the import to end. */
  isCancelled: boolean
}

/** The archives of all people, each for an hour at most. */
export interface ImportSessions {
  /** A name for a file that belongs to the imports. */
  newFile(): string
  removeFile(file: string): void
  add(userId: string, content: ArchiveContent, file: string): ImportSession
  require(userId: string, id: string): ImportSession
  /** Takes a session for an import; 409 while it is being imported. */
  begin(session: ImportSession, total: number): void
  end(session: ImportSession, result: ImportResult | null): void
  forget(session: ImportSession): void
}

const KEPT_MILLISECONDS = 60 * 60 * 1000
const MOST_PER_USER = 2

export function createImportSessions(folder: string): ImportSessions {
  const sessions = new Map<string, ImportSession>()
  // What a former process left behind is of no use to this one.
  rmSync(folder, { recursive: true, force: true })

  const removeFile = (file: string): void => rmSync(file, { force: true })

  function forget(session: ImportSession): void {
    session.isCancelled = true
    if (!sessions.delete(session.id) || session.state === 'running') return
    removeFile(session.file)
  }

  function makeRoom(userId: string): void {
    const own = [...sessions.values()].filter(
      (session) => session.userId === userId && session.state !== 'running',
    )
    for (const session of own.slice(0, Math.max(0, own.length - MOST_PER_USER + 1))) forget(session)
  }

  return {
    removeFile,
    forget,
    newFile: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return path.join(folder, newId())
    },
    add(userId, content, file) {
      makeRoom(userId)
      const session: ImportSession = {
        id: newId(),
        userId,
        content,
        file,
        chats: new Map(content.chats.map((chat) => [chat.key, chat])),
        problems: [...content.problems],
        state: 'ready',
        progress: { done: 0, total: 0 },
        result: null,
        isCancelled: false,
      }
      sessions.set(session.id, session)
      setTimeout(() => forget(session), KEPT_MILLISECONDS).unref()
      return session
    },
    require(userId, id) {
      const session = sessions.get(id)
      if (!session || session.userId !== userId)
        throw notFound('This archive is not known any more. Choose it again.')
      return session
    },
    begin(session, total) {
      if (session.state === 'running') throw conflict('This archive is being imported already.')
      session.state = 'running'
      session.progress = { done: 0, total }
    },
    end(session, result) {
      session.state = result ? 'done' : 'ready'
      session.result = result
      if (!sessions.has(session.id)) removeFile(session.file)
    },
  }
}
