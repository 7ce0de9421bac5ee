import { z } from './lazy-zod.ts'
import { doneSchema, flagSchema, idSchema, jsonObjectSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Message as stored and sent (specification, Resources › Message). Fields not listed are kept as
 * received. `timestamp` is unix seconds. The caller chooses `id` as a UUID v4.
 */
export const messageSchema = z
  .looseObject({
    id: idSchema,
    role: z.string().max(32),
    content: z.string(),
    parentId: z.string().nullable().optional(),
    childrenIds: z.array(z.string()),
    timestamp: z.number(),
    models: z.array(z.string()).optional(),
    model: z.string().optional(),
    modelName: z.string().optional(),
    modelIdx: z.int().optional(),
    done: z.boolean().optional(),
    statusHistory: z.array(jsonObjectSchema).optional(),
    embeds: z.array(z.string()).optional(),
    files: z.array(z.unknown()).optional(),
    sources: z.array(z.unknown()).optional(),
    favorite: z.boolean().optional(),
    /**
     * The reader's rating of the answer: `rating` 1 or -1, `reason` and `comment`; null if it was
     * withdrawn.
     */
    annotation: jsonObjectSchema.nullish(),
    /** Id of the rating among all (`/api/v1/evaluations/feedback/{id}`). */
    feedbackId: z.string().nullish(),
    /** Reasoning of the model, never part of the answer. */
    reasoning_content: z.string().optional(),
    reasoning_seconds: z.number().optional(),
    /** Duration of the whole answer. */
    answer_seconds: z.number().optional(),
    usage: jsonObjectSchema.optional(),
    /** Reason why the model stopped early, such as `length`. */
    finish_reason: z.string().nullish(),
    error: z.looseObject({ content: z.string() }).optional(),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof messageSchema>

/**
 * Message in a request: a part of one is enough, as long as the map key or `id` identifies it; null
 * means absent.
 */
export const messageInputSchema = z.looseObject({
  id: idSchema.optional(),
  role: z.string().max(32).nullish(),
  content: z.unknown().optional(),
  parentId: z.string().max(256).nullable().optional(),
  childrenIds: z.array(z.string().max(256)).nullish(),
  timestamp: z.number().nullish(),
})

export const historySchema = z
  .looseObject({
    currentId: z.string().nullable().optional(),
    messages: z.record(z.string(), messageSchema),
  })
  .meta({ id: 'History' })

/** Chat body (specification, Resources › Chat body); `timestamp` is milliseconds. */
export const chatBodySchema = z
  .looseObject({
    title: z.string(),
    models: z.array(z.string()),
    messages: z.array(messageSchema),
    history: historySchema,
    files: z.array(z.unknown()).optional(),
    tags: z.array(z.unknown()).optional(),
    params: jsonObjectSchema.optional(),
    timestamp: z.number().optional(),
    currentId: z.string().nullable().optional(),
  })
  .meta({ id: 'ChatBody' })

/**
 * Chat body in a request: every field is optional, malformed links are repaired, unknown fields are
 * kept, null means absent.
 */
export const chatBodyInputSchema = z
  .looseObject({
    title: z.string().max(2000).nullish(),
    models: z.array(z.string().max(512)).max(100).nullish(),
    messages: z.array(messageInputSchema).nullish(),
    history: z
      .looseObject({
        currentId: z.string().max(256).nullish(),
        messages: z.record(z.string(), messageInputSchema).nullish(),
      })
      .nullish(),
    files: z.array(z.unknown()).nullish(),
    tags: z.array(z.unknown()).nullish(),
    params: jsonObjectSchema.nullish(),
    timestamp: z.number().nullish(),
    currentId: z.string().max(256).nullish(),
  })
  .meta({ id: 'ChatBodyInput' })
export type ChatBodyInput = z.output<typeof chatBodyInputSchema>

/**
 * Chat record; `created_at` and `updated_at` are unix seconds. `repairs` lists the repairs of an
 * update as messages.
 */
export const chatSchema = z
  .looseObject({
    id: z.string(),
    user_id: z.string(),
    title: z.string(),
    chat: chatBodySchema,
    created_at: z.int(),
    updated_at: z.int(),
    pinned: z.boolean(),
    archived: z.boolean(),
    share_id: z.string().nullable(),
    folder_id: z.string().nullable(),
    meta: jsonObjectSchema,
    repairs: z.array(z.string()).optional(),
  })
  .meta({ id: 'Chat' })
export type Chat = z.output<typeof chatSchema>

/**
 * One row of a chat list. `active` is true while an answer is being written; `tags` are names. A
 * chat is unread if it changed after `last_read_at`; null until it is marked as read.
 */
export const chatListItemSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
    pinned: z.boolean(),
    archived: z.boolean(),
    folder_id: z.string().nullable(),
    share_id: z.string().nullable(),
    tags: z.array(z.string()),
    last_read_at: z.int().nullable(),
    active: z.boolean(),
  })
  .meta({ id: 'ChatListItem' })
export type ChatListItem = z.output<typeof chatListItemSchema>

/** Number of days chats and folders stay in the trash. */
export const TRASH_DAYS = 30

/** Chat in the trash since `deleted_at`; it is permanently deleted 30 days later. */
export const trashedChatSchema = chatListItemSchema
  .extend({ deleted_at: z.int() })
  .meta({ id: 'TrashedChat' })
export type TrashedChat = z.output<typeof trashedChatSchema>

/**
 * Search hit: the chat, and for a hit in a message its id and an excerpt with matches between
 * U+E000 and U+E001.
 */
export const chatSearchHitSchema = chatListItemSchema
  .extend({ message_id: z.string().nullable(), snippet: z.string().nullable() })
  .meta({ id: 'ChatSearchHit' })
export type ChatSearchHit = z.output<typeof chatSearchHitSchema>

/**
 * Message of a branch page with the ids of all messages that share its parent, including itself,
 * oldest first.
 */
export const branchMessageSchema = messageSchema
  .extend({ siblingIds: z.array(z.string()) })
  .meta({ id: 'BranchMessage' })
export type BranchMessage = z.output<typeof branchMessageSchema>

/**
 * Section of one branch, oldest message first; `before` continues towards the root, null at the
 * root.
 */
export const branchPageSchema = z
  .object({
    chat_id: z.string(),
    title: z.string(),
    models: z.array(z.string()),
    currentId: z.string().nullable(),
    pinned: z.boolean(),
    params: jsonObjectSchema,
    messages: z.array(branchMessageSchema),
    before: z.string().nullable(),
    /** Task ids of the answers being written in this chat. */
    task_ids: z.array(z.string()),
  })
  .meta({ id: 'BranchPage' })
export type BranchPage = z.output<typeof branchPageSchema>

/** Extent of the response to a change: the whole chat, or its row in the list. */
export const itemReplyQuery = z.object({ reply: z.enum(['full', 'minimal']).optional() })
export const itemReplySchema = z.union([chatSchema, chatListItemSchema])

const MEBIBYTE = 1024 * 1024
export const chatParams = z.object({ chat_id: idSchema })
const messageParams = chatParams.extend({ message_id: idSchema })
/** Some scripts count from 0; both 0 and 1 are the first page. */
const lenientPageSchema = z.coerce
  .number()
  .int()
  .min(0)
  .max(1_000_000)
  .transform((page) => Math.max(1, page))

const listQuery = z.object({
  page: lenientPageSchema.optional(),
  include_pinned: flagSchema.optional(),
  include_folders: flagSchema.optional(),
})

const QUESTION_ID = '6f3c5b0e-8a51-4c1e-9d0b-2f6f1f0d7a10'
const ANSWER_ID = 'b8e0f3c4-1d2a-4f7b-8c95-0a6d3e2b7c21'
const question = {
  id: QUESTION_ID,
  role: 'user',
  content: 'Why is the sky blue?',
  timestamp: 1_780_000_000,
  models: ['llama3.2'],
  parentId: null,
  childrenIds: [ANSWER_ID],
}
const placeholder = {
  id: ANSWER_ID,
  role: 'assistant',
  content: '',
  timestamp: 1_780_000_000,
  model: 'llama3.2',
  modelName: 'Llama 3.2',
  modelIdx: 0,
  parentId: QUESTION_ID,
  childrenIds: [],
}

/**
 * Chat with a question and a placeholder for its answer, ready for a completion with `chat_id` and
 * `id`.
 */
const newChatExample = {
  chat: {
    title: 'Blue sky',
    models: ['llama3.2'],
    messages: [question, placeholder],
    history: {
      currentId: ANSWER_ID,
      messages: { [QUESTION_ID]: question, [ANSWER_ID]: placeholder },
    },
  },
}
const changedMessageExample = {
  chat: {
    history: {
      messages: {
        [ANSWER_ID]: { content: 'Because air scatters blue light more than red.', done: true },
      },
    },
  },
}

export const chatEndpoints = defineEndpoints(
  { domain: 'chats', tag: 'Chats', root: '/api/v1/chats' },
  {
    list: {
      method: 'GET',
      path: '/',
      aliases: ['/api/v1/chats/list'],
      query: listQuery,
      response: z.array(chatListItemSchema),
      summary: 'Own chats, newest first, 60 a page; all of them without `page`.',
    },
    search: {
      method: 'GET',
      path: '/search',
      query: z.object({ text: z.string().max(500).default(''), page: pageSchema.optional() }),
      response: z.array(chatSearchHitSchema),
      summary:
        'Full-text search over titles and messages of all branches, 60 a page. Words and "quoted phrases" all have to occur; ' +
        'tag:name (tag:none), folder:name, model:id, pinned:, archived:, shared:, files:true|false, before: and after:YYYY-MM-DD narrow it.',
    },
    pinned: {
      method: 'GET',
      path: '/pinned',
      response: z.array(chatListItemSchema),
      summary: 'Own pinned chats.',
    },
    create: {
      method: 'POST',
      path: '/new',
      bodyLimit: 64 * MEBIBYTE,
      body: z
        .object({ chat: chatBodyInputSchema, folder_id: z.string().max(256).nullable().optional() })
        .meta({ id: 'ChatInput', example: newChatExample }),
      response: chatSchema,
      errors: [400, 403, 413, 507],
      summary: 'Stores a new chat.',
    },
    get: {
      method: 'GET',
      path: '/:chat_id',
      params: chatParams,
      response: chatSchema,
      errors: [404],
      summary: 'One chat with all its branches.',
    },
    update: {
      method: 'POST',
      path: '/:chat_id',
      bodyLimit: 64 * MEBIBYTE,
      params: chatParams,
      query: z.object({ reply: z.enum(['full', 'minimal']).optional() }),
      body: z
        .object({ chat: chatBodyInputSchema })
        .meta({ id: 'ChatChanges', example: changedMessageExample }),
      response: z.union([
        chatSchema,
        z.object({
          id: z.string(),
          updated_at: z.int(),
          repairs: z.array(z.string()).optional(),
        }),
      ]),
      errors: [400, 403, 404, 413, 507],
      summary: 'Merges the sent parts into a chat field by field; unmentioned messages are kept.',
    },
    remove: {
      method: 'DELETE',
      path: '/:chat_id',
      permission: 'chat.delete',
      params: chatParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Moves a chat to the trash, where it stays 30 days.',
    },
    restore: {
      method: 'POST',
      path: '/:chat_id/restore',
      params: chatParams,
      response: chatListItemSchema,
      errors: [404],
      summary: 'Restores a chat from the trash.',
    },
    pin: {
      method: 'POST',
      path: '/:chat_id/pin',
      params: chatParams,
      query: itemReplyQuery,
      response: itemReplySchema,
      errors: [404],
      summary:
        'Pins a chat, or unpins a pinned one; `reply=minimal` answers with its line in the list.',
    },
    branch: {
      method: 'GET',
      path: '/:chat_id/branch',
      params: chatParams,
      query: z.object({
        /**
         * Message whose branch is requested: the newest descendant path through it. Default: the
         * active thread.
         */
        through: z.string().max(256).optional(),
        /** Continues before this message id. */
        before: z.string().max(256).optional(),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      response: branchPageSchema,
      errors: [404],
      summary: 'The last messages of one branch, for windows that draw the tail first.',
    },
    updateMessage: {
      permission: 'chat.edit',
      method: 'POST',
      path: '/:chat_id/messages/:message_id',
      bodyLimit: 64 * MEBIBYTE,
      params: messageParams,
      query: z.object({ reply: z.enum(['full', 'minimal']).optional() }),
      body: z.looseObject({ content: z.string() }),
      response: z.union([chatSchema, z.object({ id: z.string(), updated_at: z.int() })]),
      errors: [404, 409, 413, 507],
      summary: 'Replaces the content of one message.',
    },
    removeMessage: {
      permission: 'chat.delete_message',
      method: 'DELETE',
      path: '/:chat_id/messages/:message_id',
      params: messageParams,
      query: z.object({ reply: z.enum(['full', 'minimal']).optional() }),
      response: z.union([chatSchema, z.object({ id: z.string(), updated_at: z.int() })]),
      errors: [404],
      summary: 'Removes a message and what follows it; sibling branches stay.',
    },
    messageEvent: {
      method: 'POST',
      path: '/:chat_id/messages/:message_id/event',
      bodyLimit: 8 * MEBIBYTE,
      takesRecord: true,
      params: messageParams,
      body: z.object({ type: z.string().min(1).max(100), data: jsonObjectSchema }).meta({
        id: 'MessageEvent',
        example: { type: 'status', data: { description: 'Looking it up', done: false } },
      }),
      response: doneSchema,
      errors: [400, 404],
      summary: 'Sends an event of the specification to the windows showing a message.',
    },
  },
)
