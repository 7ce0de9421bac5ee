import type { Generated } from 'kysely'

/** A prompt of the library in its current version. */
export interface PromptTable {
  id: string
  user_id: string
  /** As written, with or without the leading slash; unique without it. */
  command: string
  name: string
  content: string
  /** JSON array of strings. */
  tags: string
  /** JSON object. */
  data: string
  /** JSON object. */
  meta: string
  is_active: number
  version_id: string
  created_at: number
  updated_at: number
}

/** A former state of a prompt. `seq` is the order of age. */
export interface PromptVersionTable {
  seq: Generated<number>
  id: string
  prompt_id: string
  parent_id: string | null
  /** JSON object of the versioned fields of the prompt. */
  snapshot: string
  commit_message: string | null
  user_id: string
  created_at: number
}

/** `seq` is the row id of the search index. */
export interface MemoryTable {
  seq: Generated<number>
  id: string
  user_id: string
  content: string
  created_at: number
  updated_at: number
}

/** `seq` is the row id of the search index. */
export interface NoteTable {
  seq: Generated<number>
  id: string
  user_id: string
  title: string
  /** JSON object. */
  data: string
  /** JSON object. */
  meta: string
  created_at: number
  updated_at: number
}

/** Tables of prompts, memories and notes as Kysely sees them. Times are unix seconds. */
export interface PromptsMemoriesNotesTables {
  prompt: PromptTable
  prompt_version: PromptVersionTable
  memory: MemoryTable
  note: NoteTable
  /** Notes pinned by users. */
  pinned_note: { user_id: string; note_id: string }
}
