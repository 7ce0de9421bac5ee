import { z } from './lazy-zod.ts'
import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

export const ARTIFACT_LIMITS = Object.freeze({
  /** Other hosts one artifact may reach. */
  origins: 12,
  /** Artifacts of one chat that may have network access. */
  ofChat: 50,
})

/**
 * `https://api.example.com`, with a port if it is not the default. Names must be in the ASCII form
 * in which they are sent, since a document's policy is built from them.
 */
const originSchema = z
  .string()
  .max(300)
  .regex(
    /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9]\d{0,4})?$/,
    'must be such as https://api.example.com, without a path',
  )

const artifactIdSchema = z.string().min(1).max(300)
/** Null for a conversation that is not stored, or belongs to another user. */
const chatIdSchema = idSchema.nullable()

/** Origins an artifact may reach. */
export const artifactNetworkSchema = z
  .object({ artifact_id: z.string(), origins: z.array(z.string()) })
  .meta({ id: 'ArtifactNetwork' })
export type ArtifactNetwork = z.output<typeof artifactNetworkSchema>

/** `ticket` opens the frame of the artifact; it expires after some minutes. */
const openedNetworkSchema = z
  .object({ origins: z.array(z.string()), ticket: z.string().nullable() })
  .meta({ id: 'OpenedArtifactNetwork' })
export type OpenedNetwork = z.output<typeof openedNetworkSchema>

const placeSchema = z.object({ chat_id: idSchema, artifact_id: artifactIdSchema })

/** Pages, drawings and components in answers that the user allows to reach other hosts. */
export const artifactEndpoints = defineEndpoints(
  { domain: 'artifacts', tag: 'Chats', root: '/api/v1/artifacts/networks' },
  {
    list: {
      method: 'GET',
      path: '/',
      query: z.object({ chat_id: idSchema }),
      response: z.array(artifactNetworkSchema),
      errors: [404],
      summary: 'Origins that the artifacts of a chat may reach.',
    },
    allow: {
      method: 'POST',
      path: '/allow',
      body: z.object({
        chat_id: chatIdSchema,
        artifact_id: artifactIdSchema,
        origins: z.array(originSchema).min(1).max(ARTIFACT_LIMITS.origins),
      }),
      response: openedNetworkSchema,
      errors: [400, 403, 404, 409],
      summary:
        'Allows an artifact to reach these origins and no others; stored with the chat. Refused while the gateway is offline or sealed.',
    },
    open: {
      method: 'POST',
      path: '/open',
      body: placeSchema,
      response: openedNetworkSchema,
      errors: [404],
      summary:
        'Origins an artifact may reach, and the ticket that opens its frame; null without network access.',
    },
    revoke: {
      method: 'POST',
      path: '/revoke',
      body: placeSchema,
      response: z.boolean(),
      errors: [404],
      summary: 'Revokes the network access of an artifact; false if it had none.',
    },
  },
)
