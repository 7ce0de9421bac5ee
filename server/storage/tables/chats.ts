import type { Generated } from 'kysely'

/**
 * A chat without its messages. Columns holding JSON say so; `deleted_at` is set while the chat is
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
  /** Milliseconds, as in the chat body. */
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
 * One message of a tree. `seq` is the order of age: children are sorted by it, and it is the row id
 * of the search index.
 */
export interface MessageTable {
  seq: Generated<number>
  chat_id: string
  id: string
  parent_id: string | null
  role: string
  /** The text; for content in parts only their text, for search and titles. */
  content: string
  /** JSON of content that is not plain text, as received. */
  parts: string | null
  reasoning_content: string | null
  model: string | null
  done: number | null
  /** 1 while the gateway itself is writing this answer. */
  running: number
  /** The run that writes it, if several gateways share the database. */
  writer: Generated<string | null>
  /** Unix seconds. */
  timestamp: number
  /** JSON object: every other field of the message. */
  extra: string
}

/** A child that a message lists although it is not stored yet. */
export interface ExpectedChildTable {
  chat_id: string
  child_id: string
  parent_id: string
}

/**
 * A folder of chats; `meta` and `data` are JSON objects or null, `deleted_at` is set while it is in
 * the trash.
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

/** The folder of a chat when the folder was deleted. */
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

/** Content of a share link: the chat as JSON text when it was last shared. */
export interface SharedChatTable {
  id: string
  chat_id: string
  user_id: string
  /** 1 while every signed-in user with the link may read it. */
  is_open: number
  /** Content of the link, if `version` is 0; else it is stored in pieces. */
  snapshot: string
  version: number
  /** Ids that occur in the pieces. */
  mentions: string
  created_at: number
  updated_at: number
}

/** The stored chat for a chat of an archive, and its source. */
export interface ChatImportTable {
  user_id: string
  source: string
  external_id: string
  chat_id: string
  fingerprint: string
  imported_at: number
  /** The import that created the chat; null if it predates the recording of imports. */
  run_id: string | null
  /** `updated_at` of the chat when it was imported. */
  stored_at: number | null
}

/** Folders created by an import. */
export interface ImportFolderTable {
  user_id: string
  run_id: string
  folder_id: string
}

/** The stored prompt for a prompt of another program, and its source. */
export interface ImportPromptTable {
  user_id: string
  source: string
  external_id: string
  prompt_id: string
  /** Digest of the prompt in the program. */
  fingerprint: string
  /** Digest of the stored prompt when it was imported. */
  stamp: string
  imported_at: number
  /** The import that created the prompt. */
  run_id: string
}

/** The stored file for an upload of another program. */
export interface ImportFileTable {
  user_id: string
  source: string
  external_id: string
  file_id: string
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
  import_prompt: ImportPromptTable
  import_file: ImportFileTable
  index_backlog: IndexBacklogTable
  chat: ChatTable
  message: MessageTable
  expected_child: ExpectedChildTable
}
