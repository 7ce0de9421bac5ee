import { z } from './lazy-zod.ts'
import {
  doneSchema,
  flagSchema,
  idSchema,
  jsonObjectSchema,
  nanosecondsSchema,
  pageSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Maximum number of characters of a message. */
export const LONGEST_CHANNEL_MESSAGE = 100_000

/**
 * Author of a message: a user, or a webhook with the name and picture it had at the time. Null once
 * the account no longer exists. A deleted webhook no longer has a name of its own.
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
 * Users who reacted with one emoji: their number, and the first hundred, including the caller if
 * they reacted.
 */
export const channelReactionSchema = z
  .object({
    name: z.string(),
    users: z.array(z.object({ id: z.string(), name: z.string() })),
    count: z.int(),
  })
  .meta({ id: 'ChannelReaction' })
export type ChannelReaction = z.output<typeof channelReactionSchema>

/**
 * Attached file. Users who may read the channel may read the file as long as the message exists.
 */
export const channelFileSchema = z
  .object({ id: z.string(), name: z.string(), content_type: z.string(), size: z.int() })
  .meta({ id: 'ChannelFile' })
export type ChannelFile = z.output<typeof channelFileSchema>

/**
 * Fields the gateway sets in `meta`, in addition to those a client stored there: `webhook` {id} for
 * messages of webhooks, and for answers of models `model_id`, `model_name` and `done`, which is
 * false while the answer is written; `error` {content} if that failed. Clients cannot set these.
 */
export const channelMessageMetaSchema = z
  .looseObject({
    webhook: z.object({ id: z.string() }).optional(),
    model_id: z.string().optional(),
    model_name: z.string().optional(),
    done: z.boolean().optional(),
    /**
     * Set while it is written: the user who asked stops it with `POST /api/tasks/stop/{task_id}`.
     */
    task_id: z.string().optional(),
    error: z.object({ content: z.string() }).optional(),
  })
  .nullable()

const messageFields = {
  id: z.string(),
  /**
   * User who asked, for an answer of a model; creator of the webhook, for a message of a webhook.
   */
  user_id: z.string(),
  channel_id: z.string(),
  /** Id of the message this one quotes. */
  reply_to_id: z.string().nullable(),
  /** Id of the message whose thread this one belongs to. */
  parent_id: z.string().nullable(),
  is_pinned: z.boolean(),
  pinned_by: z.string().nullable(),
  pinned_at: nanosecondsSchema.nullable(),
  content: z.string(),
  meta: channelMessageMetaSchema,
  created_at: nanosecondsSchema,
  updated_at: nanosecondsSchema,
  /** Time of the last change of the text; null if it was never changed. */
  edited_at: nanosecondsSchema.nullable(),
  user: channelAuthorSchema,
  files: z.array(channelFileSchema),
  latest_reply_at: nanosecondsSchema.nullable(),
  /** Number of replies in the thread of the message. */
  reply_count: z.int(),
  reactions: z.array(channelReactionSchema),
}

/** Message quoted by another one. */
export const quotedMessageSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    channel_id: z.string(),
    /** Beginning of its text. */
    content: z.string(),
    meta: channelMessageMetaSchema,
    created_at: nanosecondsSchema,
    user: channelAuthorSchema,
  })
  .nullable()
  .meta({ id: 'QuotedMessage' })
const quoted = { reply_to_message: quotedMessageSchema }

/** Complete message. Times are unix nanoseconds. */
export const channelMessageSchema = z
  .object({
    ...messageFields,
    ...quoted,
    data: jsonObjectSchema.nullable(),
    /** Id the sender used until the message had an id; only in the event of a new message. */
    temp_id: z.string().optional(),
  })
  .meta({ id: 'ChannelMessage' })
export type ChannelMessage = z.output<typeof channelMessageSchema>

/**
 * Message in a list, where `data` is a flag for the presence of data; attached files are in
 * `files`.
 */
export const listedMessageSchema = z
  .object({ ...messageFields, ...quoted, data: z.boolean() })
  .meta({ id: 'ListedChannelMessage' })
export type ListedMessage = z.output<typeof listedMessageSchema>

/** Message found by a search, with its channel and the text around the match. */
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
 * Mentions in a text: `<@U:id|name>` for a user, `<@M:id|name>` for a model, `<#C:id|name>` for a
 * channel.
 */
export const MENTION = /<(@U|@M|#C):([^|<>\s]{1,256})(?:\|([^<>\n]{0,256}))?>/g

const contentSchema = z.string().max(LONGEST_CHANNEL_MESSAGE)
const dataSchema = jsonObjectSchema.nullish()

export const messageInputSchema = z
  .object({
    content: contentSchema,
    reply_to_id: idSchema.nullish(),
    parent_id: idSchema.nullish(),
    /**
     * Further fields of the client; `files` [{id, …}] are attached. Only the caller's own files can
     * be attached.
     */
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

/** Maximum number of messages in one response. */
export const LARGEST_MESSAGE_PAGE = 200
const limitSchema = z.coerce.number().int().min(-1).max(1_000_000)
const skipSchema = z.coerce.number().int().min(0).max(100_000)

/**
 * Range of messages, the newest first: `skip` counts from the end; or relative to a message: those
 * `before` it, `after` it, or `around` it with it in the middle. A list has at most 200, even with
 * a greater `limit` or -1.
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
  /** Limits the search to this channel. */
  channel_id: idSchema.optional(),
  /** Limits the search to messages older than this one. */
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
      summary: 'Additional fields of a message; null without any.',
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
      summary: 'Pins a message for all members of the channel, or unpins it.',
    },
    addReaction: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/reactions/add',
      params: messageParams,
      body: z
        .object({ name: reactionNameSchema })
        .meta({ id: 'ChannelReactionInput', example: { name: '+1' } }),
      response: doneSchema,
      errors: [400, 403, 404],
      summary: 'Reacts to a message; repeating it has no effect.',
    },
    removeReaction: {
      method: 'POST',
      path: '/:channel_id/messages/:message_id/reactions/remove',
      params: messageParams,
      body: z.object({ name: reactionNameSchema }).meta({ id: 'ChannelReactionToRemove' }),
      response: doneSchema,
      errors: [403, 404],
      summary: 'Removes an own reaction.',
    },
    removeMessage: {
      method: 'DELETE',
      path: '/:channel_id/messages/:message_id/delete',
      params: messageParams,
      response: doneSchema,
      errors: [403, 404],
      summary:
        'Deletes an own message; managers and administrators delete any. Answers in its thread stay.',
    },
  },
)
