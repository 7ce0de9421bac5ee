import type { ImportSource } from '#contract/imports.ts'
import type { ArchiveChat, Fields } from '../archive-chat.ts'

/** Takes what is read from the store of a program. */
export interface Intake {
  add(chat: ArchiveChat): void
  addFolders(folders: readonly Fields[]): void
  /** What cannot be carried over, and why. */
  note(sentence: string): void
  /** Reads one part; a broken one is told of and spoils no other. */
  attempt(what: string, work: () => void): void
}

/** Another chat program whose own files can be read. */
export interface Program {
  readonly source: ImportSource
  /** A file or a folder. */
  readonly kind: 'database' | 'folder'
  readonly places: (home: string, applicationData: readonly string[]) => readonly string[]
  /** Reads the store at a place. Nothing there is ever opened for writing. */
  readonly read: (place: string, intake: Intake, room: string) => void
}

/** Why a store cannot be read, in a sentence for people. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
