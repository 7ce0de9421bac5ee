import type { ArchivePrompt, Fields } from './archive-chat.ts'

/** The prompt library, as imports use it. */
export interface PromptLibrary {
  /** Resolves with a digest of a prompt of the user; null if there is no such prompt. */
  stampOf(userId: string, id: string): Promise<string | null>
  /** Stores a prompt, under a similar command if its own is taken; resolves with the id. */
  create(userId: string, prompt: ArchivePrompt): Promise<string>
  /** Replaces name, text and tags of a prompt; its versions keep the old ones. */
  update(userId: string, id: string, prompt: ArchivePrompt): Promise<void>
  remove(userId: string, id: string): Promise<void>
}

/** The stored files, as imports use them. */
export interface FileShelf {
  /** Resolves with a file of the user as an attachment; null if it no longer exists. */
  find(userId: string, id: string): Promise<Fields | null>
  /** Stores a temporary file, which is removed; resolves with the id. */
  create(userId: string, file: { readonly name: string; readonly path: string }): Promise<string>
}
