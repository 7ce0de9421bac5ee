import { z } from './lazy-zod.ts'
import { cleanName } from './clean-name.ts'
import { doneSchema, idSchema, nanosecondsSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { LONGEST_CHANNEL_MESSAGE } from './channel-messages.ts'

/**
 * URL to which clients post messages of a channel: `/api/v1/channels/webhooks/<id>/<token>`. Times
 * are unix nanoseconds.
 */
export const channelWebhookSchema = z
  .object({
    id: z.string(),
    channel_id: z.string(),
    user_id: z.string(),
    name: z.string(),
    profile_image_url: z.string().nullable(),
    /** Only in the response that creates it; it cannot be shown again. */
    token: z.string().nullable(),
    last_used_at: nanosecondsSchema.nullable(),
    created_at: nanosecondsSchema,
    updated_at: nanosecondsSchema,
  })
  .meta({ id: 'ChannelWebhook' })
export type ChannelWebhook = z.output<typeof channelWebhookSchema>

/** Maximum length of a `data:` URL in characters, about 190 KiB of image data. */
const LONGEST_PICTURE = 256 * 1024

export const channelWebhookInputSchema = z
  .object({
    name: z.string().overwrite(cleanName).max(100),
    /**
     * PNG, JPEG, GIF or WebP image as a `data:` URL; null or empty for the built-in one. If absent,
     * the picture is unchanged.
     */
    profile_image_url: z.string().max(LONGEST_PICTURE).nullish(),
  })
  .meta({ id: 'ChannelWebhookInput', example: { name: 'Build' } })
export type ChannelWebhookInput = z.output<typeof channelWebhookInputSchema>

const shared = {
  feature: 'ENABLE_CHANNELS',
  permission: 'features.channels',
} as const
const channelParams = z.object({ channel_id: idSchema })
const hookParams = z.object({ channel_id: idSchema, webhook_id: idSchema })

export const channelWebhookEndpoints = defineEndpoints(
  { domain: 'channels', tag: 'Channels', root: '/api/v1/channels' },
  {
    receive: {
      feature: 'ENABLE_CHANNELS',
      method: 'POST',
      path: '/webhooks/:webhook_id/:token',
      auth: 'none',
      bodyLimit: 64 * 1024,
      params: z.object({ webhook_id: idSchema, token: z.string().max(256) }),
      body: z
        .object({ content: z.string().max(LONGEST_CHANNEL_MESSAGE) })
        .meta({ id: 'IncomingMessage', example: { content: 'Build 7 is green' } }),
      response: z
        .object({ success: z.literal(true), message_id: z.string() })
        .meta({ id: 'IncomingMessageResult' }),
      errors: [403, 404, 413, 429],
      summary:
        'Posts a text as a webhook, at most 30 times a minute; its secret URL is the only credential.',
    },
    webhookImage: {
      ...shared,
      method: 'GET',
      path: '/webhooks/:webhook_id/profile/image',
      params: z.object({ webhook_id: idSchema }),
      /**
       * Version of the picture of a message, which may be an older one: the number in the URL sent
       * with the message.
       */
      query: z.object({ version: z.string().max(20).optional() }),
      reply: 'stream',
      replyTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'],
      opensByCookie: true,
      response: z.unknown(),
      errors: [403],
      summary: 'The picture of a webhook, or the built-in one.',
    },
    webhooks: {
      ...shared,
      method: 'GET',
      path: '/:channel_id/webhooks',
      params: channelParams,
      response: z.array(channelWebhookSchema),
      errors: [403, 404],
      summary: 'Webhooks of a channel, for its managers.',
    },
    createWebhook: {
      ...shared,
      method: 'POST',
      path: '/:channel_id/webhooks/create',
      params: channelParams,
      body: channelWebhookInputSchema,
      response: channelWebhookSchema,
      errors: [400, 403, 404],
      summary: 'Creates a webhook, for managers of the channel. Its token is returned only here.',
    },
    updateWebhook: {
      ...shared,
      method: 'POST',
      path: '/:channel_id/webhooks/:webhook_id/update',
      params: hookParams,
      body: channelWebhookInputSchema,
      response: channelWebhookSchema,
      errors: [403, 404],
      summary: 'Changes name and picture for messages to come. The address stays.',
    },
    rotateWebhook: {
      ...shared,
      method: 'POST',
      path: '/:channel_id/webhooks/:webhook_id/rotate',
      params: hookParams,
      response: channelWebhookSchema,
      errors: [403, 404],
      summary:
        'Gives a webhook a new token, which is returned only here; the old URL stops working.',
    },
    removeWebhook: {
      ...shared,
      method: 'DELETE',
      path: '/:channel_id/webhooks/:webhook_id/delete',
      params: hookParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes a webhook. Its address stops working, its messages stay.',
    },
  },
)
