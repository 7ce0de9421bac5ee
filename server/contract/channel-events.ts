import { z } from './lazy-zod.ts'
import { nanosecondsSchema } from './common.ts'
import { channelMessageSchema } from './channel-messages.ts'

const nothing = z.object({})

/**
 * Channel events sent over the socket, as `data` of an `events:channel` frame, by `type`. A frame
 * is sent to the sockets of the users who may read the channel at that moment; `user` {id, name} is
 * the actor, null for the gateway.
 */
export const channelEventSchema = z.discriminatedUnion('type', [
  /** New message, including one in a thread (`parent_id`), with the `temp_id` of its sender. */
  z.object({ type: z.literal('message'), data: channelMessageSchema }),
  /** Changed text, or further text of a model's answer: `meta.done` is false until the last one. */
  z.object({ type: z.literal('message:update'), data: channelMessageSchema }),
  /** Message before its deletion. */
  z.object({ type: z.literal('message:delete'), data: channelMessageSchema }),
  /** Root message of a thread, with its new `reply_count` and `latest_reply_at`. */
  z.object({ type: z.literal('message:reply'), data: channelMessageSchema }),
  /** Message with its current reactions; `name` is the one that changed. */
  z.object({
    type: z.literal('message:reaction:add'),
    data: channelMessageSchema,
    name: z.string(),
  }),
  z.object({
    type: z.literal('message:reaction:remove'),
    data: channelMessageSchema,
    name: z.string(),
  }),
  /** Message pinned or unpinned, according to `is_pinned`. */
  z.object({ type: z.literal('message:pin'), data: channelMessageSchema }),
  /**
   * A user is typing, in the thread of `message_id` if that is not null. Not sent to the typing
   * user; expires after six seconds.
   */
  z.object({
    type: z.literal('typing'),
    data: z.object({ typing: z.boolean(), message_id: z.string().nullable() }),
  }),
  /** Sent to the mentioned user in addition to `message`, unless the user wrote it. */
  z.object({ type: z.literal('mention'), data: channelMessageSchema }),
  /** Sent to all new members: the channel list has to be reloaded. */
  z.object({ type: z.literal('channel:created'), data: nothing }),
  /** Name, description, access or the caller's role changed: the channel has to be reloaded. */
  z.object({ type: z.literal('channel:updated'), data: nothing }),
  z.object({ type: z.literal('channel:deleted'), data: nothing }),
  /** Sent to a user who is no longer a member; no further events follow. */
  z.object({ type: z.literal('channel:removed'), data: nothing }),
  /** Members who joined and left, sent to all members. */
  z.object({
    type: z.literal('channel:members'),
    data: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  }),
  /** Sent only to the reader's own sockets: the read mark was moved in another window. */
  z.object({
    type: z.literal('channel:read'),
    data: z.object({
      last_read_at: nanosecondsSchema,
      unread_count: z.int(),
      mention_count: z.int(),
    }),
  }),
])
export type ChannelEvent = z.output<typeof channelEventSchema>

/** Actor of an event: a user or a webhook. */
export type ChannelActor = {
  readonly id: string
  readonly name: string
  readonly role?: 'webhook'
} | null

/** Channel signals a client sends over the socket, as `data` of a `channel` frame. */
export const channelSignalSchema = z.discriminatedUnion('type', [
  /**
   * `message_id` is set for a reply in the thread of that message; `typing: false` means that the
   * text was discarded.
   */
  z.object({
    type: z.literal('typing'),
    data: z.object({ typing: z.boolean().optional() }).nullish(),
    message_id: z.string().max(256).nullish(),
  }),
  /** Marks everything up to now as read. */
  z.object({ type: z.literal('last_read_at') }),
])
export type ChannelSignal = z.output<typeof channelSignalSchema>
