/** Fields of a patch serialized to JSON in advance, because that takes a turn for a long one. */
export type WrittenFields = Readonly<Record<string, string>>

/**
 * Parameters for starting a run: the placeholder and its links exist afterwards, whatever the
 * caller had sent.
 */
export interface AnswerOpening {
  chatId: string
  messageId: string
  model: string
  modelName: string
  /** Model an arena chose; null if the caller chose it. */
  selectedModelId?: string | null
  /** Index among the answers of several models to one question; 0 when absent. */
  modelIdx?: number
  /** The full user message to store or update, if the caller sent one. */
  userMessage?: Record<string, unknown>
  /** Parent of the answer if known; else the stored one, else the current message of the chat. */
  parentId?: string | null
  /** True if the existing text of the answer is kept. */
  isContinued?: boolean
  /** See `Task.writer`. */
  writer?: string | null
}

/** Options for writing an answer. */
export interface SaveOptions {
  readonly written?: WrittenFields
  /** Writes nothing unless the answer still belongs to this run (`Task.writer`). */
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

/** Requested part of the chat list; all of it without `page`. */
export interface ListRequest {
  readonly page?: number
  readonly includePinned?: boolean
  readonly includeFolders?: boolean
}

/** Instructions of a folder for every model used in it. */
export interface FolderContext {
  readonly system_prompt: string | null
  readonly files: readonly unknown[]
}
