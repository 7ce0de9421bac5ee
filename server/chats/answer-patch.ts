/** Fields of a patch whose JSON was written beforehand, as that of a long one takes a turn. */
export type WrittenFields = Readonly<Record<string, string>>

/**
 * What a run needs to begin: the placeholder and its links exist afterwards, whatever the caller
 * had sent.
 */
export interface AnswerOpening {
  chatId: string
  messageId: string
  model: string
  modelName: string
  /** Place among the answers of several models to one question; 0 when absent. */
  modelIdx?: number
  /** The full user message to store or update, when the caller sent one. */
  userMessage?: Record<string, unknown>
  /** Parent of the answer when known; else the stored one, else the current message of the chat. */
  parentId?: string | null
  /** Whether what the answer says already stays. */
  isContinued?: boolean
  /** See `Task.writer`. */
  writer?: string | null
}

/** How an answer is written. */
export interface SaveOptions {
  readonly written?: WrittenFields
  /** Writes nothing unless the answer is still this run's (`Task.writer`). */
  readonly writer?: string | null
}

/** Fields of a growing or finished answer; absent ones stay as stored. */
export interface AnswerPatch {
  content?: string
  reasoning_content?: string
  reasoning_seconds?: number
  done?: boolean
  usage?: Record<string, unknown>
  error?: { content: string; [key: string]: unknown }
  [key: string]: unknown
}

/** Which part of the chat list is wanted; all of it without `page`. */
export interface ListRequest {
  readonly page?: number
  readonly includePinned?: boolean
  readonly includeFolders?: boolean
}

/** What a folder says to every model asked in it. */
export interface FolderContext {
  readonly system_prompt: string | null
  readonly files: readonly unknown[]
}
