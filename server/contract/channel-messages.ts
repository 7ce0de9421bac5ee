import { z } from './lazy-zod.ts'
import { flagSchema, idSchema, jsonObjectSchema, nanosecondsSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Most letters a message may have. */
export const LONGEST_CHANNEL_MESSAGE = 100_000

/**
 * Who wrote a message: a person, or a webhook, whose name and picture stay those of the day. Null
 * once the account is gone. A deleted webhook has no name of its own any more.
 */
export const channelAuthorSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Set for webhooks. */
    role: z.literal('webhook').optional(),
    profile_image_url: z.string(),
    /** Set for webhooks that were deleted. */
    is_deleted: z.literal(true).optional(),
  })
  .nullable()
  .meta({ id: 'ChannelAuthor' })
export type ChannelAuthor = z.output<typeof channelAuthorSchema>

/**
 * The people who reacted with one sign: how many, and the first hundred, the caller among them
 * where they did.
 */
export const channelReactionSchema = z
  .object({
    name: z.string(),
    users: z.array(z.object({ id: z.string(), name: z.string() })),
    count: z.number().int(),
  })
  .meta({ id: 'ChannelReaction' })
export type ChannelReaction = z.output<typeof channelReactionSchema>

/** An attached file. Who may read the channel may read the file as long as the message stands. */
export const channelFileSchema = z
  .object({ id: z.string(), name: z.string(), content_type: z.string(), size: z.number().int() })
  .meta({ id: 'ChannelFile' })
export type ChannelFile = z.output<typeof channelFileSchema>

/**
 * What the gateway says in `meta`, besides what a client stored there: `webhook` {id} for messages
 * of webhooks, and for answers of models `model_id`, `model_name` and `done`, which is false while
 * the answer is written; `error` {content} when that failed. Clients cannot set these.
 */
export const channelMessageMetaSchema = z
  .looseObject({
    webhook: z.object({ id: z.string() }).optional(),
    model_id: z.string().optional(),
    model_name: z.string().optional(),
    done: z.boolean().optional(),
    /** While it is written: who asked stops it with `POST /api/tasks/stop/{task_id}`. */
    task_id: z.string().optional(),
    error: z.object({ content: z.string() }).optional(),
  })
  .nullable()

const messageFields = {
  id: z.string(),
  /** Of an answer of a model who asked for it, of the message of a webhook who made that. */
  user_id: z.string(),
  channel_id: z.string(),
  /** The message this one quotes. */
  reply_to_id: z.string().nullable(),
  /** The message whose thread this one stands in. */
  parent_id: z.string().nullable(),
  is_pinned: z.boolean(),
  pinned_by: z.string().nullable(),
  pinned_at: nanosecondsSchema.nullable(),
  content: z.string(),
  meta: channelMessageMetaSchema,
  created_at: nanosecondsSchema,
  updated_at: nanosecondsSchema,
  /** When somebody last changed the text; null for never. */
  edited_at: nanosecondsSchema.nullable(),
  user: channelAuthorSchema,
  files: z.array(channelFileSchema),
  latest_reply_at: nanosecondsSchema.nullable(),
  /** Answers in the thread of the message. */
  reply_count: z.number().int(),
  reactions: z.array(channelReactionSchema),
}

/** A message another one quotes. */
export const quotedMessageSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    channel_id: z.string(),
    /** Its beginning. */
    content: z.string(),
    meta: channelMessageMetaSchema,
    created_at: nanosecondsSchema,
    user: channelAuthorSchema,
  })
  .nullable()
  .meta({ id: 'QuotedMessage' })
const quoted = { reply_to_message: quotedMessageSchema }

/** A whole message. Times are unix nanoseconds. */
export const channelMessageSchema = z
  .object({
    ...messageFields,
    ...quoted,
    data: jsonObjectSchema.nullable(),
    /** What the sender called it until it had an id; in the event of a new message only. */
    temp_id: z.string().optional(),
  })
  .meta({ id: 'ChannelMessage' })
export type ChannelMessage = z.output<typeof channelMessageSchema>

/** A message in a list, where `data` says whether there is any; attached files are in `files`. */
export const listedMessageSchema = z
  .object({ ...messageFields, ...quoted, data: z.boolean() })
  .meta({ id: 'ListedChannelMessage' })
export type ListedMessage = z.output<typeof listedMessageSchema>

/** A message that was found, with its channel and the words around what was looked for. */
export const foundMessageSchema = listedMessageSchema
  .extend({
    channel: z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(['group', 'dm']).nullable(),
    }),
    snippet: z.string(),
  })
  .meta({ id: 'FoundChannelMessage' })
export type FoundMessage = z.output<typeof foundMessageSchema>

/**
 * Mentions in a text: `<@U:id|name>` a person, `<@M:id|name>` a model, `<#C:id|name>` a channel.
 */
export const MENTION = /<(@U|@M|#C):([^|<>\s]{1,256})(?:\|([^<>\n]{0,256}))?>/g

const contentSchema = z.string().max(LONGEST_CHANNEL_MESSAGE)
const dataSchema = jsonObjectSchema.nullish()

export const messageInputSchema = z
  .object({
    content: contentSchema,
    reply_to_id: idSchema.nullish(),
    parent_id: idSchema.nullish(),
    /** Further fields of the client; `files` [{id, …}] are attached. Only own files can be. */
    data: dataSchema,
    meta: dataSchema,
    temp_id: z.string().max(256).nullish(),
  })
  .meta({ id: 'ChannelMessageInput', example: { content: 'Hello everybody' } })
export type MessageInput = z.output<typeof messageInputSchema>

export const messageUpdateSchema = z
  .object({ content: contentSchema, data: dataSchema, meta: dataSchema })
  .meta({ id: 'ChannelMessageUpdate', example: { content: 'Hello all of you' } })
export type MessageUpdate = z.output<typeof messageUpdateSchema>

/** Most messages of one answer. */
export const LARGEST_MESSAGE_PAGE = 200
const limitSchema = z.coerce.number().int().min(-1).max(1_000_000)
const skipSchema = z.coerce.number().int().min(0).max(100_000)

/**
 * Which messages, the newest first: `skip` from the end, or beside a message: those `before` it,
 * `after` it, or `around` it with it in the middle. A list has at most 200, also with a greater
 * `limit` or -1.
 */
export const messageListQuerySchema = z.object({
  skip: skipSchema.optional(),
  limit: limitSchema.optional(),
  before: idSchema.optional(),
  after: idSchema.optional(),
  around: idSchema.optional(),
})
export type MessageListQuery = z.output<typeof messageListQuerySchema>

export const messageSearchQuerySchema = z.object({
  text: z.string().max(500),
  /** In this channel only. */
  channel_id: idSchema.optional(),
  /** Found messages older than this one. */
  before: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
})
export type MessageSearchQuery = z.output<typeof messageSearchQuerySchema>

const reactionNameSchema = z.string().max(100)

const shared = {
  tag: 'Channels',
  feature: 'ENABLE_CHANNELS',
  permission: 'features.channels',
} as const
const channelParams = z.object({ channel_id: idSchema })
const messageParams = z.object({ channel_id: idSchema, message_id: idSchema })

export const channelMessageEndpoints = defineEndpoints(
  { domain: 'channels', root: '/api/v1/channels', ...shared },
  {
    search: {
      method: 'GET',
      path: '/search',
      query: messageSearchQuerySchema,
      response: z
        .object({ items: z.array(foundMessageSchema) })
        .meta({ id: 'FoundChannelMessages' }),
      errors: [403, 404],
      summary:
        'Messages with all of the words in the channels the caller may read, the newest first, threads included.',
    },
    messages: {
      method: 'GET',
      path: '/:channel_id/messages',
      params: channelParams,
      query: messageListQuerySchema,
      response: z.array(listedMessageSchema),
      errors: [403, 404],
      summary: 'Messages of a channel, the newest first; answers in threads are left out.',
    },
    pinned: {
      method: 'GET',
      path: '/:channel_id/messages/pinned',
      params: channelParams,
      query: z.object({ page: pageSchema.optional() }),
      response: z.array(listedMessageSchema),
      errors: [403, 404],
      summary: 'Pinned messages, the last pinned first; 50 a page.',
    },
    post: {
      method: 'POST',
      path: '/:channel_id/messages/post',
      params: channelParams,
      body: messageInputSchema,
      response: channelMessageSchema,
      errors: [403, 404, 413],
      summary:
        'Posts a message. A model that is mentioned answers in its thread, with the rights of the caller.',
    },
    getMessage: {
      method: 'GET',
      path: '/:channel_id/messages/:message_id',
      params: messageParams,
      response: channelMessageSchema,
      errors: [403, 404],
      summary: 'One message.',
    },
    messageData: {
      method: 'GET',
      path: '/:channel_id/messages/:message_id/data',
      params: messageParams,
      response: jsonObjectSchema.nullable(),
      errors: [403, 404],
      summary: 'The further fields of a message; null without any.',
    },
    thread: {
      method: 'GET',
      path: '/:channel_id/messages/:message_id/thread',
      params: messageParams,
      query: messageListQuerySchema,
      response: z.array(listedMessageSchema),
      errors: [403, 404],
      summary:
        'Answers in the thread of a message, the newest first; behind the oldest one the message itself.',
    },
    updateMessage: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/update',
      params: messageParams,
      body: messageUpdateSchema,
      response: channelMessageSchema,
      errors: [403, 404, 413],
      summary:
        'Changes an own message, administrators any. Fields of data and meta are replaced one by one.',
    },
    pin: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/pin',
      params: messageParams,
      body: z.object({ is_pinned: flagSchema }).meta({ id: 'ChannelMessagePin' }),
      response: listedMessageSchema,
      errors: [403, 404],
      summary: 'Pins a message for everybody in the channel, or unpins it.',
    },
    addReaction: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/reactions/add',
      params: messageParams,
      body: z
        .object({ name: reactionNameSchema })
        .meta({ id: 'ChannelReactionInput', example: { name: '+1' } }),
      response: z.literal(true),
      errors: [400, 403, 404],
      summary: 'Reacts to a message; twice is once.',
    },
    removeReaction: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/reactions/remove',
      params: messageParams,
      body: z.object({ name: reactionNameSchema }).meta({ id: 'ChannelReactionToRemove' }),
      response: z.literal(true),
      errors: [403, 404],
      summary: 'Takes an own reaction back.',
    },
    removeMessage: {
      method: 'DELETE',
      path: '/:channel_id/messages/:message_id/delete',
      params: messageParams,
      response: z.literal(true),
      errors: [403, 404],
      summary:
        'Deletes an own message; managers and administrators delete any. Answers in its thread stay.',
    },
  },
)
