import { z } from './lazy-zod.ts'
import { sessionSchema } from './auths.ts'
import { doneSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Address of this computer in a private network. */
export const sharedAddressSchema = z
  .object({
    address: z.string(),
    /** System name of the network interface, such as `en0` or `Wi-Fi`. */
    interface: z.string(),
    chosen: z.boolean(),
    /** URL at which devices reach the gateway; null while it does not listen there. */
    url: z.string().nullable(),
    /** Reason why it does not listen there, as a sentence. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'SharedAddress' })
export type SharedAddress = z.output<typeof sharedAddressSchema>

/** Certificate shown to devices. Times are unix seconds. */
export const shareCertificateSchema = z
  .object({
    /** SHA-256 fingerprint, as shown by browsers. */
    fingerprint: z.string(),
    ends_at: z.int(),
    /** True if an administrator supplied it. */
    own: z.boolean(),
    /**
     * SHA-256 of the authority devices may trust; null for a certificate an administrator supplied.
     */
    authority_fingerprint: z.string().nullable(),
  })
  .meta({ id: 'ShareCertificate' })

export const sharingStatusSchema = z
  .object({
    on: z.boolean(),
    /** Time of its automatic end; null for never. */
    ends_at: z.int().nullable(),
    /** Name this computer announces, such as `desk.local`; null while it announces none. */
    name: z.string().nullable(),
    port: z.int().nullable(),
    addresses: z.array(sharedAddressSchema),
    certificate: shareCertificateSchema.nullable(),
    /** Operating system of the gateway, for hints about its firewall. */
    system: z.enum(['linux', 'macos', 'windows', 'other']),
    /** Reason why nothing is shared although it is switched on, as a sentence. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'SharingStatus' })
export type SharingStatus = z.output<typeof sharingStatusSchema>

/** Session started at the shared address. Times are unix seconds. */
export const sharedDeviceSchema = z
  .object({
    id: z.string(),
    person: z.string(),
    /** True if it is the device of a guest. */
    guest: z.boolean(),
    user_agent: z.string(),
    address: z.string(),
    created_at: z.int(),
    last_used_at: z.int(),
    /** True if this call was made with it. */
    current: z.boolean(),
  })
  .meta({ id: 'SharedDevice' })
export type SharedDevice = z.output<typeof sharedDeviceSchema>

/** Guest pass without its secret. Times are unix seconds. */
export const guestPassSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    models: z.array(z.string()),
    message_limit: z.int(),
    message_count: z.int(),
    created_at: z.int(),
    ends_at: z.int(),
    /** Time at which a device used it; null while it is unused. */
    used_at: z.int().nullable(),
    /** Null while it is valid. */
    ended_at: z.int().nullable(),
  })
  .meta({ id: 'GuestPass' })
export type GuestPass = z.output<typeof guestPassSchema>

/** Maximum number of simultaneously valid passes. */
export const MOST_PASSES = 20
export const MOST_PASS_HOURS = 168
export const MOST_PASS_MESSAGES = 10_000

const hoursSchema = z.number().min(0.01).max(8760)

export const sharingEndpoints = defineEndpoints(
  { domain: 'sharing', tag: 'Sharing', root: '/api/v1/sharing' },
  {
    status: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: sharingStatusSchema,
      summary: 'State and URLs of the listener for devices of the network.',
    },
    turnOn: {
      method: 'POST',
      path: '/on',
      auth: 'admin',
      body: z
        .object({
          /** Unchanged if omitted; an empty list means every private address. */
          addresses: z.array(z.string().max(64)).max(50).optional(),
          /** Number of hours after which it ends automatically; null for never. */
          hours: hoursSchema.nullable().optional(),
        })
        .meta({ id: 'TurnSharingOn', example: { hours: 4 } }),
      response: sharingStatusSchema,
      errors: [400, 409],
      summary: 'Opens a second listener, with HTTPS, for devices of the network.',
    },
    turnOff: {
      method: 'POST',
      path: '/off',
      auth: 'admin',
      response: sharingStatusSchema,
      errors: [409],
      summary: 'Closes the listener for devices of the network with all its connections.',
    },
    devices: {
      method: 'GET',
      path: '/devices',
      auth: 'admin',
      response: z.array(sharedDeviceSchema),
      summary: 'Sign-ins through the shared URL, the last used first.',
    },
    endDevice: {
      method: 'DELETE',
      path: '/devices/:session_id',
      auth: 'admin',
      params: z.object({ session_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Ends the sign-in of a device at once.',
    },
    authority: {
      method: 'GET',
      path: '/authority.crt',
      auth: 'none',
      reply: 'stream',
      replyTypes: ['application/x-x509-ca-cert'],
      response: z.unknown(),
      errors: [404],
      summary: 'The certificate that a device installs to trust the shared URL; not secret.',
    },
    bringCertificate: {
      method: 'POST',
      path: '/certificate',
      auth: 'admin',
      body: z
        .object({
          /** PEM, followed by the intermediate certificates up to the authority. */
          certificate: z.string().max(100_000),
          key: z.string().max(20_000),
        })
        .meta({ id: 'BringCertificate' }),
      response: sharingStatusSchema,
      errors: [400],
      summary: "Sets a custom certificate instead of the gateway's own.",
    },
    dropCertificate: {
      method: 'DELETE',
      path: '/certificate',
      auth: 'admin',
      response: sharingStatusSchema,
      summary: 'Removes the custom certificate, so that the gateway uses its own.',
    },
    passes: {
      method: 'GET',
      path: '/passes',
      auth: 'admin',
      response: z.array(guestPassSchema),
      summary: 'Guest passes, the newest first; those that ended stay for a week.',
    },
    createPass: {
      method: 'POST',
      path: '/passes',
      auth: 'admin',
      body: z
        .object({
          name: z.string().trim().min(1).max(100),
          models: z.array(z.string().trim().min(1).max(256)).min(1).max(50),
          hours: z.number().min(0.01).max(MOST_PASS_HOURS),
          messages: z.int().min(1).max(MOST_PASS_MESSAGES),
        })
        .meta({
          id: 'CreateGuestPass',
          example: { name: 'Visitor', models: ['guide'], hours: 4, messages: 50 },
        }),
      /** The secret is returned only here. */
      response: guestPassSchema.extend({ secret: z.string() }).meta({ id: 'NewGuestPass' }),
      errors: [400, 409],
      summary: 'Creates a pass for one device of a guest.',
    },
    endPass: {
      method: 'DELETE',
      path: '/passes/:pass_id',
      auth: 'admin',
      params: z.object({ pass_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Ends a pass at once: its device is signed out and its chats are deleted.',
    },
    enter: {
      method: 'POST',
      path: '/enter',
      auth: 'none',
      body: z.object({ secret: z.string().min(16).max(256) }),
      response: sessionSchema,
      errors: [401, 409, 429],
      summary: 'Exchanges the secret of a guest pass for a session. Works for one device.',
    },
    ownPass: {
      method: 'GET',
      path: '/pass',
      response: guestPassSchema
        .pick({ name: true, message_limit: true, message_count: true, ends_at: true })
        .meta({ id: 'OwnGuestPass' })
        .nullable(),
      summary: 'The pass of the caller; null for users other than guests.',
    },
  },
)
