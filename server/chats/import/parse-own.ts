import type { ChatBodyInput } from '#contract/chats.ts'
import { asList, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { asText } from '../../lib/text/as-text.ts'
import { tagIdOf, toTagId } from '../tags/tag-names.ts'
import { isRecord } from '../../lib/is-record.ts'

export const isOwnChat = (value: Fields): boolean => isRecord(value['chat'])

/**
 * Returns the tags beside the body, with the names the body has for their ids, or else those in the
 * body, whose list may be older.
 */
function readTags(body: Fields, meta: unknown): readonly unknown[] {
  const named = asList(body['tags'])
  const ids = asList(isRecord(meta) ? meta['tags'] : undefined).filter(
    (tag) => typeof tag === 'string',
  )
  if (ids.length === 0) return named
  const names = new Map(named.map((tag) => [tagIdOf(tag), tag]))
  return ids.map((id) => names.get(toTagId(id)) ?? id)
}

/** Returns the body to store; the flat list duplicates the tree, if there is one. */
function readBody(body: Fields, meta: unknown): ChatBodyInput {
  const { messages, ...rest } = body
  const history = body['history']
  const hasTree =
    isRecord(history) &&
    isRecord(history['messages']) &&
    Object.keys(history['messages']).length > 0
  return {
    ...rest,
    tags: readTags(body, meta),
    ...(!hasTree && messages !== undefined && { messages }),
  } as ChatBodyInput
}

/** Parses a chat record exported by this gateway or a compatible one. */
export function parseOwnChat(source: Fields): ArchiveChat {
  const body = source['chat'] as Fields
  return {
    key: asText(source['id']),
    title: asText(body['title']) || asText(source['title']),
    created_at: toSeconds(source['created_at']),
    updated_at: toSeconds(source['updated_at']),
    pinned: source['pinned'] === true,
    archived: source['archived'] === true,
    folder: asText(source['folder_id']) || null,
    body: readBody(body, source['meta']),
  }
}
