import type { Generated } from 'kysely'

/** A chat without its messages. Columns holding JSON say so; `deleted_at` is set while the chat lies in the trash. */
export interface ChatTable {
  seq: Generated<number>
  id: string
  user_id: string
  title: string
  current_id: string | null
  /** JSON array. */
  models: string
  /** JSON object. */
  params: string
  /** JSON array. */
  files: string
  /** JSON array. */
  tags: string
  /** Milliseconds, as the chat body wants it. */
  timestamp: number
  /** JSON object: fields of the chat body without a column. */
  extra: string
  /** JSON object: fields of `history` other than `currentId` and `messages`. */
  history_extra: string
  /** JSON object. */
  meta: string
  pinned: number
  archived: number
  share_id: string | null
  folder_id: string | null
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** One message of a tree. `seq` gives the age: children are ordered by it, and it is the row id of the search index. */
export interface MessageTable {
  seq: Generated<number>
  chat_id: string
  id: string
  parent_id: string | null
  role: string
  /** The text; for content sent in parts only their text, for search and titles. */
  content: string
  /** JSON of content that is not a plain text, as it came. */
  parts: string | null
  reasoning_content: string | null
  model: string | null
  done: number | null
  /** 1 while the gateway itself is writing this answer. */
  running: number
  /** Unix seconds. */
  timestamp: number
  /** JSON object: every other field of the message. */
  extra: string
}

/** A child a message lists although it is not stored yet. */
export interface ExpectedChildTable {
  chat_id: string
  child_id: string
  parent_id: string
}

/** Tables of the chats domain as Kysely sees them. */
export interface ChatsTables {
  chat: ChatTable
  message: MessageTable
  expected_child: ExpectedChildTable
}
