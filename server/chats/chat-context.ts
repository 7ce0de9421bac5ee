import { notFound } from '../lib/errors.ts'
import type { RecordBounds } from '../lib/json/record-bounds.ts'
import type { Access } from '../access/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import type { Announce } from './announce.ts'
import type { FolderStore } from './folders/store.ts'
import type { FileShelf, PromptLibrary } from './import/import-targets.ts'
import type { ImportFileStore } from './import/file-store.ts'
import type { ImportPromptStore } from './import/prompt-store.ts'
import type { ImportStore } from './import/store.ts'
import type { AnswerPatch } from './answers/answer-patch.ts'
import type { ListRows } from './lists/list-rows-store.ts'
import type { ListStore } from './lists/store.ts'
import type { ChatParts } from './saving/merge-messages.ts'
import { patchMessage } from './saving/patch-message.ts'
import type { SearchBacklog } from './search/backlog.ts'
import type { ShareStore } from './sharing/store.ts'
import type { ChatRow, ListRow } from './store.ts'
import type { MessageRow } from './chat-rows.ts'
import { toListItem } from './reading/render-chat.ts'
import type { TagStore } from './tags/store.ts'
import type { TrashStore } from './trash/store.ts'
import type { TextEvents } from './answers/text-events.ts'
import type { ChatListItem } from '#contract/chats.ts'

export type LiveAnswers = (chatId: string, messageId: string) => AnswerPatch | null

/** State shared by all operations on chats. */
export interface ChatContext extends ChatParts {
  readonly storage: Storage
  readonly listRows: ListRows
  readonly tags: TagStore
  readonly folders: FolderStore
  readonly lists: ListStore
  readonly trash: TrashStore
  readonly shares: ShareStore
  readonly imports: ImportStore
  readonly importedPrompts: ImportPromptStore
  readonly importedFiles: ImportFileStore
  /** Replaced once files are available; until then files of other programs are left out. */
  fileShelf: FileShelf | null
  /** Null leaves the prompts of other programs out. */
  readonly promptLibrary: PromptLibrary | null
  readonly backlog: SearchBacklog
  readonly textEvents: TextEvents
  readonly access: Pick<Access, 'allows' | 'describe' | 'replace' | 'remove'>
  readonly tasks: Pick<Tasks, 'ofChat' | 'stop'>
  readonly announce: Announce
  readonly permits: Groups['allows']
  /** Maximum number of messages that one call may store. */
  readonly mostMessages: () => number
  /** Maximum number of messages of a stored chat that one call may change or add. */
  readonly mostChanges: () => number
  /** Size limits of a message, and of a chat without its messages. */
  readonly recordBounds: () => RecordBounds
  /** Maximum number of characters to which events may lengthen one message. */
  readonly mostEventCharacters: () => number
  /**
   * Throws 404 if a list of files and collections contains an item that the user may not read and
   * that was not there before. Replaced once knowledge is available; until then every item is
   * allowed.
   */
  checkAttached: (userId: string, items: unknown, before: unknown) => Promise<void>
  /** Replaced once completions are available; until then no answers are being written. */
  liveAnswers: LiveAnswers
}

/** Returns a chat of a user; throws the same 404 for a missing, trashed or foreign one. */
export async function requireChat(
  { store }: ChatContext,
  userId: string,
  chatId: string,
): Promise<ChatRow> {
  const chat = await store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at !== null)
    throw notFound('This chat does not exist.')
  return chat
}

export async function requireMessage(
  { store }: ChatContext,
  chatId: string,
  messageId: string,
): Promise<MessageRow> {
  const row = await store.message(chatId, messageId)
  if (!row) throw notFound('This message is not in the chat.')
  return row
}

/** Returns the chat of a run, regardless of its owner. */
export async function requireOpenChat({ store }: ChatContext, chatId: string): Promise<ChatRow> {
  const chat = await store.chat(chatId)
  if (!chat || chat.deleted_at !== null) throw notFound('This chat does not exist.')
  return chat
}

/** Merges the text changes of outside tools into a patch of a run. */
export function weaveTexts(
  { textEvents }: ChatContext,
  place: { chatId: string; messageId: string },
  patch: AnswerPatch,
): AnswerPatch {
  if (patch.content === undefined) return patch
  return { ...patch, content: textEvents.apply(place.chatId, place.messageId, patch.content) }
}

/** Adds the text that is not stored yet to a row. */
export function refreshRow(context: ChatContext, row: MessageRow): MessageRow {
  const place = { chatId: row.chat_id, messageId: row.id }
  const patch = row.running === 1 ? context.liveAnswers(row.chat_id, row.id) : null
  return patch ? patchMessage(row, weaveTexts(context, place, patch)) : row
}

export const describeChat = ({ tasks }: ChatContext, row: ListRow): ChatListItem =>
  toListItem(row, tasks.ofChat(row.id).length > 0)
