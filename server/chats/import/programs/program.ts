import type { ImportSource } from '#contract/imports.ts'
import type { ArchiveChat, ArchiveFile, ArchivePrompt, Fields } from '../archive-chat.ts'

/** Receives the content read from the store of a program. */
export interface Intake {
  add(chat: ArchiveChat): void
  addFolders(folders: readonly Fields[]): void
  readonly prompts: { add(prompt: ArchivePrompt): void }
  /** Adds a file to which messages refer; the same one may be added repeatedly. */
  addFile(file: ArchiveFile): void
  /**
   * Keeps the bytes of a file that a store holds inside a message until the import; the same bytes
   * are kept once. Returns the id to which messages refer.
   */
  keepFile(name: string, bytes: Buffer): string
  /** Reports content that cannot be imported, and the reason. */
  note(sentence: string): void
  /** Reads one part; a malformed one is reported and does not affect others. */
  attempt(what: string, work: () => void): void
}

/** Another chat program whose own files can be read. */
export interface Program {
  readonly source: ImportSource
  /** A file or a folder. */
  readonly kind: 'database' | 'folder'
  readonly places: (home: string, applicationData: readonly string[]) => readonly string[]
  /** Reads the store at a path. Never opens anything there for writing. */
  readonly read: (place: string, intake: Intake, room: string) => void
}

/** Reason why a store cannot be read, as a sentence for users. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
