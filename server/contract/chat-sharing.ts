import { z } from './lazy-zod.ts'
import { accessGrantRecordSchema, accessInput } from './access.ts'
import {
  chatListItemSchema,
  chatParams,
  chatSchema,
  itemReplyQuery,
  itemReplySchema,
} from './chats.ts'
import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const shareParams = z.object({ share_id: idSchema })
const nullableId = z.string().max(256).nullable()

/** Endpoints for moving, copying, sharing and exporting one chat. */
export const chatSharingEndpoints = defineEndpoints(
  { domain: 'chats', tag: 'Chats', root: '/api/v1/chats' },
  {
    isPinned: {
      method: 'GET',
      path: '/:chat_id/pinned',
      params: chatParams,
      response: z.boolean(),
      errors: [404],
      summary: 'Whether a chat is pinned.',
    },
    archive: {
      method: 'POST',
      path: '/:chat_id/archive',
      params: chatParams,
      query: itemReplyQuery,
      response: itemReplySchema,
      errors: [404],
      summary: 'Archives a chat and takes it out of its folder, or brings an archived one back.',
    },
    move: {
      method: 'POST',
      path: '/:chat_id/folder',
      params: chatParams,
      query: itemReplyQuery,
      body: z.object({ folder_id: nullableId.optional() }),
      response: itemReplySchema,
      errors: [404],
      summary: 'Moves a chat into a folder; null removes it from its folder.',
    },
    read: {
      method: 'POST',
      path: '/:chat_id/read',
      params: chatParams,
      response: chatListItemSchema,
      errors: [404],
      summary: 'Marks a chat as read.',
    },
    unread: {
      method: 'POST',
      path: '/:chat_id/unread',
      params: chatParams,
      response: chatListItemSchema,
      errors: [404],
      summary: 'Marks a chat as unread.',
    },
    clone: {
      method: 'POST',
      path: '/:chat_id/clone',
      params: chatParams,
      query: itemReplyQuery,
      body: z.object({ title: z.string().max(2000).nullish() }),
      response: itemReplySchema,
      errors: [403, 404],
      summary: 'Copies a chat with all its branches.',
    },
    cloneShared: {
      method: 'POST',
      path: '/:share_id/clone/shared',
      params: shareParams,
      query: itemReplyQuery,
      response: itemReplySchema,
      errors: [403, 404],
      summary: 'Copies a shared chat into the own ones.',
    },
    fork: {
      method: 'POST',
      path: '/:chat_id/fork',
      params: chatParams,
      query: itemReplyQuery,
      body: z.object({ message_id: idSchema, title: z.string().max(2000).nullish() }),
      response: itemReplySchema,
      errors: [403, 404],
      summary: 'Creates a new chat from the messages up to this one.',
    },
    share: {
      method: 'POST',
      path: '/:chat_id/share',
      permission: 'chat.share',
      params: chatParams,
      query: itemReplyQuery,
      response: itemReplySchema,
      errors: [403, 404],
      summary: 'Creates the share link of a chat, or updates the content it shows.',
    },
    unshare: {
      method: 'DELETE',
      path: '/:chat_id/share',
      params: chatParams,
      response: z.boolean(),
      errors: [404],
      summary: 'Deletes the share link; false if there was none.',
    },
    getShared: {
      method: 'GET',
      path: '/share/:share_id',
      params: shareParams,
      response: chatSchema,
      errors: [404],
      summary:
        'A shared chat in the state it was last shared in. For every signed-in user with the link, unless its access was restricted.',
    },
    getAccess: {
      method: 'GET',
      path: '/shared/:share_id/access',
      params: shareParams,
      response: z.array(accessGrantRecordSchema),
      errors: [404],
      summary: 'Grants of an own share link; `share_id` may also be the id of the chat.',
    },
    updateAccess: {
      method: 'POST',
      path: '/shared/:share_id/access/update',
      permission: 'chat.share',
      params: shareParams,
      query: itemReplyQuery,
      body: z.object(accessInput),
      response: itemReplySchema,
      errors: [403, 404],
      summary:
        'Replaces the grants of a share link; a grant to `*` opens it to all signed-in users again.',
    },
    exportOne: {
      method: 'GET',
      path: '/:chat_id/export',
      permission: 'chat.export',
      params: chatParams,
      query: z.object({
        format: z.enum(['json', 'md']).default('json'),
        branch: z.enum(['all', 'active']).default('all'),
      }),
      reply: 'stream',
      replyTypes: ['application/json', 'text/markdown'],
      response: chatSchema,
      errors: [403, 404],
      summary: 'Downloads a chat as JSON or Markdown: all branches, or the active one.',
    },
  },
)
