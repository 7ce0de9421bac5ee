import { z } from './lazy-zod.ts'
import { accessInput, accessOutput } from './access.ts'
import { cleanName } from './clean-name.ts'
import { channelMessageEndpoints } from './channel-messages.ts'
import { channelWebhookEndpoints } from './channel-webhooks.ts'
import {
  doneSchema,
  idSchema,
  jsonObjectSchema,
  nanosecondsSchema,
  pageSchema,
  roleSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Kinds of channels. Null: a public one, created by administrators and opened to users and groups
 * by access grants. `group`: readable by its members. `dm`: a conversation of a fixed set of users,
 * of which only one exists.
 */
export const channelTypeSchema = z.enum(['group', 'dm']).nullable()
export type ChannelType = z.output<typeof channelTypeSchema>

/** User in a channel, as shown in headers and in lists of direct conversations. */
export const channelPersonSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    profile_image_url: z.string(),
    is_active: z.boolean(),
    status_emoji: z.string().nullable(),
    status_message: z.string().nullable(),
    /** Expiry in unix seconds. */
    status_expires_at: z.int().nullable(),
  })
  .meta({ id: 'ChannelPerson' })
export type ChannelPerson = z.output<typeof channelPersonSchema>

/** Channel. Times are unix nanoseconds. */
export const channelSchema = z
  .object({
    id: z.string(),
    /** Id of the creator. */
    user_id: z.string(),
    type: channelTypeSchema,
    /** Converted to lower case on creation; empty for conversations named after their members. */
    name: z.string(),
    description: z.string().nullable(),
    /**
     * For public channels: grants to all users are not stored, so that the channel is open only to
     * named users and groups.
     */
    is_private: z.boolean(),
    data: jsonObjectSchema.nullable(),
    meta: jsonObjectSchema.nullable(),
    ...accessOutput,
    created_at: nanosecondsSchema,
    updated_at: nanosecondsSchema,
    updated_by: z.string().nullable(),
    /** Always null: channels are deleted, not archived, and deleted ones are not returned. */
    archived_at: nanosecondsSchema.nullable(),
    archived_by: z.string().nullable(),
    deleted_at: nanosecondsSchema.nullable(),
    deleted_by: z.string().nullable(),
  })
  .meta({ id: 'Channel' })
export type Channel = z.output<typeof channelSchema>

const readingFields = {
  /** Ids of the active members; null for public channels, in lists also for groups. */
  user_ids: z.array(z.string()).nullable(),
  users: z.array(channelPersonSchema).nullable(),
  last_message_at: nanosecondsSchema.nullable(),
  /** Read mark of the caller: null until it is set for the first time. */
  last_read_at: nanosecondsSchema.nullable(),
  /**
   * Number of messages of other users since the read mark, including thread replies; counts up to
   * 1000.
   */
  unread_count: z.int(),
  /** Number of those that mention the caller. */
  mention_count: z.int(),
  /** True if the caller may change the channel, its members and webhooks. */
  is_manager: z.boolean(),
  /** True if the caller may post, react and pin. */
  write_access: z.boolean(),
}

/** Channel in the list of those the caller is a member of or may read. */
export const listedChannelSchema = channelSchema.extend(readingFields).meta({ id: 'ListedChannel' })
export type ListedChannel = z.output<typeof listedChannelSchema>

/** Channel opened by a user. */
export const openChannelSchema = channelSchema
  .extend({
    ...readingFields,
    /** Number of active members; for a public channel of all users who may read it. */
    user_count: z.int(),
    /**
     * Id of the oldest unread message in the list, where the reader continues; null if there is
     * none.
     */
    first_unread_id: z.string().nullable(),
  })
  .meta({ id: 'OpenChannel' })
export type OpenChannel = z.output<typeof openChannelSchema>

export const channelMemberSchema = z
  .object({
    id: z.string(),
    channel_id: z.string(),
    user_id: z.string(),
    role: z.literal('manager').nullable(),
    status: z.literal('joined'),
    /** False once the user has left. */
    is_active: z.boolean(),
    is_channel_muted: z.boolean(),
    is_channel_pinned: z.boolean(),
    data: jsonObjectSchema.nullable(),
    meta: jsonObjectSchema.nullable(),
    invited_at: nanosecondsSchema.nullable(),
    invited_by: z.string().nullable(),
    joined_at: nanosecondsSchema,
    left_at: nanosecondsSchema.nullable(),
    last_read_at: nanosecondsSchema.nullable(),
    created_at: nanosecondsSchema,
    updated_at: nanosecondsSchema,
  })
  .meta({ id: 'ChannelMember' })
export type ChannelMember = z.output<typeof channelMemberSchema>

/**
 * Member in the member list: e-mail address and role are visible only to administrators and the
 * user.
 */
export const channelMemberPersonSchema = channelPersonSchema
  .extend({
    email: z.string(),
    role: z.union([roleSchema, z.literal('')]),
    bio: z.string().nullable(),
    /** True if the member manages this channel. */
    is_manager: z.boolean(),
  })
  .meta({ id: 'ChannelMemberPerson' })
export type ChannelMemberPerson = z.output<typeof channelMemberPersonSchema>

const MOST_PEOPLE = 1000
const peopleSchema = z.array(z.string().max(256)).max(MOST_PEOPLE).nullish()
const people = { user_ids: peopleSchema, group_ids: peopleSchema }
const nameSchema = z.string().overwrite(cleanName).max(200)
const typeInputSchema = z.union([z.enum(['group', 'dm']), z.literal('')]).nullish()

const changeable = {
  description: z.string().max(2000).nullish(),
  is_private: z.boolean().nullish(),
  data: jsonObjectSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
  ...accessInput,
}

export const channelInputSchema = z
  .object({
    name: nameSchema.nullish(),
    /** Null or empty for a public channel, which only administrators create. */
    type: typeInputSchema,
    ...changeable,
    /**
     * Members of a group or conversation besides the caller; for a group of the gateway its current
     * members.
     */
    ...people,
  })
  .meta({ id: 'ChannelInput', example: { name: 'support', type: 'group', user_ids: [] } })
export type ChannelInput = z.output<typeof channelInputSchema>

export const channelUpdateSchema = z.object({ name: nameSchema.nullish(), ...changeable }).meta({
  id: 'ChannelUpdate',
  example: { name: 'support', description: 'Questions of customers' },
})
export type ChannelUpdate = z.output<typeof channelUpdateSchema>

export const memberListQuerySchema = z.object({
  query: z.string().max(500).optional(),
  order_by: z.enum(['name', 'created_at', 'last_active_at', 'role', 'email', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  page: pageSchema.optional(),
})
export type MemberListQuery = z.output<typeof memberListQuerySchema>

const shared = {
  tag: 'Channels',
  feature: 'ENABLE_CHANNELS',
  permission: 'features.channels',
} as const
const channelParams = z.object({ channel_id: idSchema })

export const channelEndpoints = {
  ...channelWebhookEndpoints,
  ...defineEndpoints(
    { domain: 'channels', root: '/api/v1/channels', ...shared },
    {
      list: {
        method: 'GET',
        path: '/',
        response: z.array(listedChannelSchema),
        errors: [403],
        summary:
          'Channels the caller is in or may read, public ones first, then by their last message.',
      },
      listAll: {
        method: 'GET',
        path: '/list',
        response: z.array(channelSchema),
        errors: [403],
        summary:
          'The same channels without unread counts; for administrators those of all users, which they may manage.',
      },
      ofUser: {
        method: 'GET',
        path: '/users/:user_id',
        params: z.object({ user_id: idSchema }),
        response: openChannelSchema,
        errors: [403, 404],
        summary: 'The direct conversation with a user, which is created if there is none.',
      },
      create: {
        method: 'POST',
        path: '/create',
        body: channelInputSchema,
        response: openChannelSchema,
        errors: [400, 403, 404, 413],
        summary:
          'Creates a channel. For a direct conversation of the same users, the existing one is returned.',
      },
    },
  ),
  ...channelMessageEndpoints,
  ...defineEndpoints(
    { domain: 'channels', root: '/api/v1/channels', ...shared },
    {
      get: {
        method: 'GET',
        path: '/:channel_id',
        params: channelParams,
        response: openChannelSchema,
        errors: [403, 404],
        summary: 'One channel with the mark of the caller.',
      },
      update: {
        method: 'POST',
        path: '/:channel_id/update',
        params: channelParams,
        body: channelUpdateSchema,
        response: channelSchema,
        errors: [403, 404, 413],
        summary:
          'Changes a channel, for its managers. Description, data and meta that are not given are emptied; grants stay.',
      },
      remove: {
        method: 'DELETE',
        path: '/:channel_id/delete',
        params: channelParams,
        response: doneSchema,
        errors: [403, 404],
        summary: 'Deletes a channel with everything in it, for its managers.',
      },
      read: {
        method: 'POST',
        path: '/:channel_id/read',
        params: channelParams,
        body: z
          .object({
            message_id: idSchema.nullish(),
            /** Alternative to `message_id`: this message becomes the first unread one. */
            before_message_id: idSchema.nullish(),
          })
          .refine(
            ({ message_id, before_message_id }) => message_id == null || before_message_id == null,
            {
              message: 'Only one of message_id and before_message_id can be given',
              path: ['before_message_id'],
            },
          )
          .meta({ id: 'ChannelRead' }),
        response: z
          .object({
            last_read_at: nanosecondsSchema,
            unread_count: z.int(),
            mention_count: z.int(),
          })
          .meta({ id: 'ChannelReadMark' }),
        errors: [403, 404],
        summary:
          'Moves the mark of the caller behind a message, before one, or behind the last one. Messages after the mark are unread again.',
      },
      members: {
        method: 'GET',
        path: '/:channel_id/members',
        params: channelParams,
        query: memberListQuerySchema,
        response: z
          .object({ users: z.array(channelMemberPersonSchema), total: z.int() })
          .meta({ id: 'ChannelMemberPage' }),
        errors: [403, 404],
        summary: 'Members of a channel, for a public one its readers; 30 a page.',
      },
      updateActive: {
        method: 'POST',
        path: '/:channel_id/members/active',
        params: channelParams,
        body: z.object({ is_active: z.boolean() }).meta({ id: 'ChannelActive' }),
        response: doneSchema,
        errors: [400, 403, 404],
        summary:
          'Leaves a channel, or with `true` takes a direct conversation back into the list. Its next message does that too.',
      },
      addMembers: {
        method: 'POST',
        path: '/:channel_id/update/members/add',
        params: channelParams,
        body: z
          .object({
            ...people,
            /**
             * Makes users managers, including existing members; null turns managers back into
             * members.
             */
            role: z.literal('manager').nullish(),
          })
          .meta({ id: 'ChannelMembersToAdd' }),
        response: z.array(channelMemberSchema),
        errors: [400, 403, 404],
        summary:
          'Adds users to a channel, for its managers. Returns the memberships that are new or have changed.',
      },
      removeMembers: {
        method: 'POST',
        path: '/:channel_id/update/members/remove',
        params: channelParams,
        body: z
          .object({ user_ids: z.array(z.string().max(256)).max(MOST_PEOPLE) })
          .meta({ id: 'ChannelMembersToRemove' }),
        response: z.int(),
        errors: [400, 403, 404],
        summary:
          'Removes users from a channel, for its managers. Returns the number of removed members.',
      },
    },
  ),
}
