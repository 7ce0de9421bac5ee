import type { Generated } from 'kysely'

/**
 * A chat without its messages. Columns holding JSON say so; `deleted_at` is set while the chat lies
 * in the trash, and while its messages are still being stored.
 */
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
  last_read_at: number | null
}

/**
 * One message of a tree. `seq` gives the age: children are ordered by it, and it is the row id of
 * the search index.
 */
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
  /** The run that writes it, where several gateways share the database. */
  writer: Generated<string | null>
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

/**
 * A folder of chats; `meta` and `data` are JSON objects or null, `deleted_at` is set while it lies
 * in the trash.
 */
export interface FolderTable {
  id: string
  user_id: string
  parent_id: string | null
  name: string
  meta: string | null
  data: string | null
  is_expanded: number
  created_at: number
  updated_at: number
  deleted_at: Generated<number | null>
}

/** The folder a chat stood in when that was deleted. */
export interface FolderLeaverTable {
  chat_id: string
  folder_id: string
}

/** A tag on a chat; written whenever the tags of the chat body are. */
export interface ChatTagTable {
  chat_id: string
  tag_id: string
  user_id: string
  name: string
}

/** What a share link shows: the chat as JSON text at the time it was shared last. */
export interface SharedChatTable {
  id: string
  chat_id: string
  user_id: string
  /** 1 while everybody signed in who has the link may read it. */
  is_open: number
  /** What the link shows, where `version` is 0; else it stands in pieces. */
  snapshot: string
  version: number
  /** Ids that stand in the pieces. */
  mentions: string
  created_at: number
  updated_at: number
}

/** Which chat of an archive became which chat here, and what it was made of. */
export interface ChatImportTable {
  user_id: string
  source: string
  external_id: string
  chat_id: string
  fingerprint: string
  imported_at: number
  /** The import that made the chat; null where it was made before imports were told apart. */
  run_id: string | null
  /** `updated_at` of the chat as it came. */
  stored_at: number | null
}

/** Folders an import made. */
export interface ImportFolderTable {
  user_id: string
  run_id: string
  folder_id: string
}

/** A chat whose messages are not all indexed for the search yet. */
export interface IndexBacklogTable {
  chat_id: string
  after_seq: number
}

/** Tables of the chats domain as Kysely sees them. */
export interface ChatsTables {
  folder: FolderTable
  folder_leaver: FolderLeaverTable
  chat_tag: ChatTagTable
  shared_chat: SharedChatTable
  chat_import: ChatImportTable
  import_folder: ImportFolderTable
  index_backlog: IndexBacklogTable
  chat: ChatTable
  message: MessageTable
  expected_child: ExpectedChildTable
}
