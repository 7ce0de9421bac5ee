import type { Selectable } from 'kysely'
import type { MessageTable } from '../storage/tables/chats.ts'

/** A message as a node of a tree. */
export type LinkRow = Pick<MessageRow, 'seq' | 'id' | 'parent_id'>

export type MessageRow = Omit<Selectable<MessageTable>, 'writer'>

export type NewMessageRow = Omit<MessageRow, 'seq'>
