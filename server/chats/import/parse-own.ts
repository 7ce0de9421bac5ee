import type { ChatBodyInput } from '#contract/chats.ts'
import { asList, isObject, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { asText } from '../../lib/as-text.ts'

export const isOwnChat = (value: Fields): boolean => isObject(value['chat'])

/** Tags are in the body, or beside it as their ids. */
function readTags(body: Fields, meta: unknown): readonly unknown[] {
  const tags = asList(body['tags'])
  return tags.length > 0
    ? tags
    : asList(isObject(meta) ? meta['tags'] : undefined).filter((tag) => typeof tag === 'string')
}

/** Returns the body to store; the flat list duplicates the tree, if there is one. */
function readBody(body: Fields, meta: unknown): ChatBodyInput {
  const { messages, ...rest } = body
  const history = body['history']
  const hasTree =
    isObject(history) &&
    isObject(history['messages']) &&
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
