import { z } from './lazy-zod.ts'
import { chatListItemSchema, chatParams, chatSchema, trashedChatSchema } from './chats.ts'
import { doneSchema, idSchema, jsonObjectSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Tag of a user; its id is the name in lower case with `_` for spaces. */
export const chatTagSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    user_id: z.string(),
    meta: jsonObjectSchema.nullable(),
  })
  .meta({ id: 'ChatTag' })
export type ChatTag = z.output<typeof chatTagSchema>

/**
 * Statistics of one chat: message counts by role and model, and the tokens reported by providers.
 */
export const chatUsageSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    tags: z.array(z.string()),
    created_at: z.int(),
    updated_at: z.int(),
    /** Creation time of the chat as long as it has no messages. */
    last_message_at: z.int(),
    /** Number of answers in the active thread by model. */
    models: z.record(z.string(), z.int()),
    /** Average seconds from a question to its answer. */
    average_response_time: z.number(),
    /** Number of messages in the active thread. */
    message_count: z.int(),
    /** Number of messages in all branches. */
    history_message_count: z.int(),
    history_user_message_count: z.int(),
    history_assistant_message_count: z.int(),
    /** Number of answers in all branches by model. */
    history_models: z.record(z.string(), z.int()),
    average_user_message_content_length: z.number(),
    average_assistant_message_content_length: z.number(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
  })
  .meta({ id: 'ChatUsage' })
export type ChatUsage = z.output<typeof chatUsageSchema>

/** Statistics of one message, without its text. */
const messageStatisticsSchema = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    role: z.string(),
    model: z.string().nullable(),
    timestamp: z.int(),
    content_length: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
  })
  .meta({ id: 'MessageStatistics' })

/** Statistics of one chat: those of `ChatUsage`, and each message of all branches, oldest first. */
export const chatStatisticsSchema = chatUsageSchema
  .extend({ messages: z.array(messageStatisticsSchema) })
  .meta({ id: 'ChatStatistics' })
export type ChatStatistics = z.output<typeof chatStatisticsSchema>

/** Starred message, with the beginning of its text and its chat. */
export const starredMessageSchema = z
  .object({
    chat_id: z.string(),
    message_id: z.string(),
    title: z.string(),
    archived: z.boolean(),
    folder_id: z.string().nullable(),
    role: z.string(),
    model: z.string().nullable(),
    timestamp: z.int(),
    starred_at: z.int(),
    excerpt: z.string(),
  })
  .meta({ id: 'StarredMessage' })
export type StarredMessage = z.output<typeof starredMessageSchema>

const unixSeconds = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

const sortedQuery = z.object({
  page: pageSchema.optional(),
  /** Search terms for the title. */
  query: z.string().max(500).optional(),
  order_by: z.enum(['', 'updated_at', 'created_at', 'title']).optional(),
  direction: z.enum(['', 'asc', 'desc']).optional(),
})
export type SortedQuery = z.output<typeof sortedQuery>

const tagBody = z
  .object({ name: z.string().trim().min(1).max(200) })
  .meta({ id: 'TagInput', example: { name: 'travel' } })

/** Lists and tags; matched before the endpoints of one chat, whose id would match their names. */
export const chatListEndpoints = defineEndpoints(
  { domain: 'chats', tag: 'Chats', root: '/api/v1/chats' },
  {
    archived: {
      method: 'GET',
      path: '/archived',
      query: sortedQuery,
      response: z.array(chatListItemSchema),
      summary: 'Own archived chats, 60 a page.',
    },
    shared: {
      method: 'GET',
      path: '/shared',
      query: sortedQuery,
      response: z.array(chatListItemSchema.extend({ chat_id: z.string() })),
      summary: 'Own chats that have a share link, 60 a page.',
    },
    starred: {
      method: 'GET',
      path: '/starred',
      query: sortedQuery.pick({ page: true, query: true }),
      response: z.array(starredMessageSchema),
      summary:
        'Own messages with a star, of all chats outside of the trash, the last starred first, 60 a page. `query` is words of the message or of the title of its chat.',
    },
    trash: {
      method: 'GET',
      path: '/trash',
      query: sortedQuery.pick({ page: true, query: true }),
      response: z.array(trashedChatSchema),
      summary: 'Own chats in the trash, the last deleted first, 60 a page.',
    },
    moveToTrash: {
      method: 'POST',
      path: '/trash',
      bodyLimit: 16 * 1024 * 1024,
      permission: 'chat.delete',
      body: z
        .object({ ids: z.array(idSchema).max(200_000) })
        .meta({ id: 'ChatIds', example: { ids: ['6f3c5b0e-8a51-4c1e-9d0b-2f6f1f0d7a10'] } }),
      response: z.object({ moved: z.int() }),
      errors: [403, 413],
      summary:
        'Moves several chats to the trash at once, where they stay 30 days; ids that name no own chat are left out.',
    },
    emptyTrash: {
      method: 'DELETE',
      path: '/trash',
      permission: 'chat.delete',
      response: doneSchema,
      errors: [403],
      summary: 'Permanently deletes all own chats and folders in the trash.',
    },
    erase: {
      method: 'DELETE',
      path: '/trash/:chat_id',
      permission: 'chat.delete',
      params: chatParams,
      response: doneSchema,
      errors: [403, 404],
      summary:
        'Permanently deletes a chat in the trash, with its messages and their index entries.',
    },
    all: {
      method: 'GET',
      path: '/all',
      permission: 'chat.export',
      reply: 'stream',
      replyTypes: ['application/json', 'application/x-ndjson'],
      response: z.array(chatSchema),
      errors: [403],
      summary:
        'Own chats with all branches, without archived ones; one chat a line when `Accept` is application/x-ndjson.',
    },
    allArchived: {
      method: 'GET',
      path: '/all/archived',
      permission: 'chat.export',
      reply: 'stream',
      replyTypes: ['application/json', 'application/x-ndjson'],
      response: z.array(chatSchema),
      errors: [403],
      summary:
        'Own archived chats with all branches; one chat a line when `Accept` is application/x-ndjson.',
    },
    allTags: {
      method: 'GET',
      path: '/all/tags',
      response: z.array(chatTagSchema),
      summary: 'Tags that are on at least one own chat.',
    },
    allOfEverybody: {
      method: 'GET',
      path: '/all/db',
      auth: 'admin',
      feature: 'ENABLE_ADMIN_EXPORT',
      reply: 'stream',
      replyTypes: ['application/json', 'application/x-ndjson'],
      response: z.array(chatSchema),
      errors: [403],
      summary: 'Chats of all users; one chat a line when `Accept` is application/x-ndjson.',
    },
    listOfUser: {
      method: 'GET',
      path: '/list/user/:user_id',
      auth: 'admin',
      feature: 'ENABLE_ADMIN_CHAT_ACCESS',
      params: z.object({ user_id: idSchema }),
      query: sortedQuery,
      response: z.array(chatListItemSchema),
      errors: [403],
      summary: 'Chats of one user, including archived ones, 60 a page.',
    },
    inFolder: {
      method: 'GET',
      path: '/folder/:folder_id',
      params: z.object({ folder_id: idSchema }),
      reply: 'stream',
      replyTypes: ['application/json', 'application/x-ndjson'],
      response: z.array(chatSchema),
      errors: [404],
      summary: 'Chats of a folder and of the folders in it, with all branches.',
    },
    listInFolder: {
      method: 'GET',
      path: '/folder/:folder_id/list',
      params: z.object({ folder_id: idSchema }),
      query: z.object({ page: pageSchema.default(1) }),
      response: z.array(chatListItemSchema),
      errors: [404],
      summary: 'Chats of one folder, newest first, 10 a page.',
    },
    byTag: {
      method: 'POST',
      path: '/tags',
      body: z.object({
        name: z.string().max(200),
        skip: z.int().min(0).max(1_000_000).default(0),
        limit: z.int().min(1).max(1000).default(50),
      }),
      response: z.array(chatListItemSchema),
      summary: 'Own chats with a tag, newest first.',
    },
    usage: {
      method: 'GET',
      path: '/stats/usage',
      query: z.object({
        page: pageSchema.default(1),
        items_per_page: z.coerce.number().int().min(1).max(100).default(50),
      }),
      response: z.object({ items: z.array(chatUsageSchema), total: z.int() }),
      summary: 'Message and token counts of own chats, newest first.',
    },
    exportStatistics: {
      method: 'GET',
      path: '/stats/export',
      permission: 'chat.export',
      query: z.object({
        page: pageSchema.default(1),
        items_per_page: z.coerce.number().int().min(1).max(100).default(50),
        /** Limits the list to chats changed at this time or later, in unix seconds. */
        start_date: unixSeconds.optional(),
        /** Limits the list to chats changed before this time. */
        end_date: unixSeconds.optional(),
      }),
      response: z.object({
        items: z.array(chatStatisticsSchema),
        total: z.int(),
        page: z.int(),
      }),
      errors: [403],
      summary: 'Figures of own chats and each message, without texts, newest first.',
    },
    exportStatisticsOfOne: {
      method: 'GET',
      path: '/stats/export/:chat_id',
      permission: 'chat.export',
      params: chatParams,
      response: chatStatisticsSchema,
      errors: [403, 404],
      summary: 'Figures of one chat.',
    },
    archiveAll: {
      method: 'POST',
      path: '/archive/all',
      response: doneSchema,
      summary: 'Archives all own chats.',
    },
    unarchiveAll: {
      method: 'POST',
      path: '/unarchive/all',
      response: doneSchema,
      summary: 'Unarchives all own chats.',
    },
    removeAll: {
      method: 'DELETE',
      path: '/',
      permission: 'chat.delete',
      response: doneSchema,
      errors: [403],
      summary: 'Moves all own chats to the trash.',
    },
    tags: {
      method: 'GET',
      path: '/:chat_id/tags',
      params: chatParams,
      response: z.array(chatTagSchema),
      errors: [404],
      summary: 'Tags of a chat.',
    },
    addTag: {
      method: 'POST',
      path: '/:chat_id/tags',
      params: chatParams,
      body: tagBody,
      response: z.array(chatTagSchema),
      errors: [400, 404],
      summary: 'Adds a tag to a chat; the name `none` is taken by the search.',
    },
    removeTag: {
      method: 'DELETE',
      path: '/:chat_id/tags',
      params: chatParams,
      body: tagBody,
      response: z.array(chatTagSchema),
      errors: [404],
      summary: 'Removes a tag from a chat.',
    },
    removeTags: {
      method: 'DELETE',
      path: '/:chat_id/tags/all',
      params: chatParams,
      response: doneSchema,
      errors: [404],
      summary: 'Removes all tags from a chat.',
    },
  },
)
