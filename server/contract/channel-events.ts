import { z } from './lazy-zod.ts'
import { nanosecondsSchema } from './common.ts'
import { channelMessageSchema } from './channel-messages.ts'

const nothing = z.object({})

/**
 * What is told of a channel over the socket, as `data` of an `events:channel` frame, by its `type`.
 * A frame goes to the sockets of those who may read the channel at that moment; `user` {id, name}
 * is who did it, null for the gateway.
 */
export const channelEventSchema = z.discriminatedUnion('type', [
  /** A new message, also one in a thread (`parent_id`), with the `temp_id` of its sender. */
  z.object({ type: z.literal('message'), data: channelMessageSchema }),
  /** A changed text, or more of the answer of a model: `meta.done` is false until the last one. */
  z.object({ type: z.literal('message:update'), data: channelMessageSchema }),
  /** The message as it was. */
  z.object({ type: z.literal('message:delete'), data: channelMessageSchema }),
  /** The message a thread belongs to, with its new `reply_count` and `latest_reply_at`. */
  z.object({ type: z.literal('message:reply'), data: channelMessageSchema }),
  /** The message with its reactions now; `name` is the one that changed. */
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
  /** Pinned or unpinned, as `is_pinned` says. */
  z.object({ type: z.literal('message:pin'), data: channelMessageSchema }),
  /**
   * Somebody types, in the thread of `message_id` where that is not null. Not told to who types;
   * forget it after six seconds.
   */
  z.object({
    type: z.literal('typing'),
    data: z.object({ typing: z.boolean(), message_id: z.string().nullable() }),
  }),
  /** To the one who is mentioned, besides `message`, unless they wrote it. */
  z.object({ type: z.literal('mention'), data: channelMessageSchema }),
  /** To everybody who is in it from now on: read the list again. */
  z.object({ type: z.literal('channel:created'), data: nothing }),
  /** Name, description, access or the caller's role: read the channel again. */
  z.object({ type: z.literal('channel:updated'), data: nothing }),
  z.object({ type: z.literal('channel:deleted'), data: nothing }),
  /** To who is not in it any more: nothing else comes. */
  z.object({ type: z.literal('channel:removed'), data: nothing }),
  /** Who came and went, to everybody in it. */
  z.object({
    type: z.literal('channel:members'),
    data: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  }),
  /** To the sockets of the reader alone: the mark was moved in another window. */
  z.object({
    type: z.literal('channel:read'),
    data: z.object({
      last_read_at: nanosecondsSchema,
      unread_count: z.number().int(),
      mention_count: z.number().int(),
    }),
  }),
])
export type ChannelEvent = z.output<typeof channelEventSchema>

/** Who did what an event tells: a person or a webhook. */
export type ChannelActor = {
  readonly id: string
  readonly name: string
  readonly role?: 'webhook'
} | null

/** What a client says of a channel over the socket, as `data` of a `channel` frame. */
export const channelSignalSchema = z.discriminatedUnion('type', [
  /**
   * `message_id` where it is an answer in the thread of that message; `typing: false` when the text
   * was taken back.
   */
  z.object({
    type: z.literal('typing'),
    data: z.object({ typing: z.boolean().optional() }).nullish(),
    message_id: z.string().max(256).nullish(),
  }),
  /** Everything up to now is read. */
  z.object({ type: z.literal('last_read_at') }),
])
export type ChannelSignal = z.output<typeof channelSignalSchema>
