import { z } from './lazy-zod.ts'
import {
  doneSchema,
  emailSchema,
  idSchema,
  jsonObjectSchema,
  roleSchema,
  shownNameSchema,
  statusSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { imageUrlSchema, profileInput, profileSchema } from './users.ts'

/**
 * Header for the second half of a browser's session: it is returned by the sign-in response and
 * sent by every later call of the page. The cookie is sent to every port of a host, whereas this
 * half stays with the origin.
 */
export const SESSION_KEY_HEADER = 'X-Session-Key'

/**
 * Maximum length of a password is 1,024 bytes (docs/decisions.md); the byte count is checked again
 * before hashing.
 */
const passwordSchema = z.string().min(1).max(1024)
const nameSchema = shownNameSchema(200)

export const sessionUserSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    profile_image_url: z.string(),
    permissions: jsonObjectSchema,
    /** Present for the account behind a guest pass. */
    guest: z.literal(true).optional(),
  })
  .meta({ id: 'SessionUser' })
export type SessionUser = z.output<typeof sessionUserSchema>

/**
 * Response of sign-in and sign-up; `expires_at` is unix seconds, null if the token never expires.
 */
export const sessionSchema = sessionUserSchema
  .extend({
    token: z.string(),
    token_type: z.literal('Bearer'),
    expires_at: z.int().nullable(),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof sessionSchema>

/** Signed-in user with their profile. */
export const ownSessionSchema = sessionSchema
  .extend(profileSchema.partial().shape)
  .meta({ id: 'OwnSession' })
export type OwnSession = z.output<typeof ownSessionSchema>

/** Limits of a key; null means no limit. An empty list allows nothing. */
export const apiKeyLimitsSchema = z
  .object({
    /** Expiry in unix seconds. */
    expires_at: z.int().nullable(),
    /** Paths the key may call, including all subpaths. */
    allowed_endpoints: z
      .array(
        z
          .string()
          .trim()
          .regex(/^\/\S*$/, 'is not a path that starts with /')
          .max(200),
      )
      .max(100)
      .nullable(),
    /** Ids of the models the key may use. */
    allowed_models: z.array(z.string().trim().min(1).max(256)).max(500).nullable(),
    daily_requests: z.int().min(1).max(1_000_000_000).nullable(),
    daily_tokens: z.int().min(1).max(1_000_000_000_000).nullable(),
  })
  .meta({ id: 'ApiKeyLimits' })
export type ApiKeyLimits = z.output<typeof apiKeyLimitsSchema>

/** Named key without its secret. Times are unix seconds. */
export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** First and last characters, to identify the key: `sk-AbCd…wxyz`. */
    hint: z.string(),
    created_at: z.int(),
    last_used_at: z.int().nullable(),
    /** Client that used it last, by its self-reported name. */
    last_used_by: z.string().nullable(),
    last_used_from: z.string().nullable(),
    ...apiKeyLimitsSchema.shape,
    /** Usage since the last midnight (UTC); the caps are reset at `resets_at`. */
    today: z.object({
      requests: z.int(),
      tokens: z.int(),
      resets_at: z.int(),
    }),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof apiKeySchema>

/** Active session of the caller. Times are unix seconds. */
export const sessionInfoSchema = z
  .object({
    id: z.string(),
    created_at: z.int(),
    last_used_at: z.int(),
    expires_at: z.int().nullable(),
    /** Client that signed in, such as a browser, by its self-reported name. */
    user_agent: z.string(),
    address: z.string(),
    /** True if this call was made with it. */
    current: z.boolean(),
  })
  .meta({ id: 'SessionInfo' })
export type SessionInfo = z.output<typeof sessionInfoSchema>

export const authAdminConfigSchema = z
  .looseObject({
    SHOW_ADMIN_DETAILS: z.boolean(),
    ADMIN_EMAIL: z.string(),
    WEBUI_URL: z.string(),
    ENABLE_SIGNUP: z.boolean(),
    ENABLE_API_KEYS: z.boolean(),
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: z.boolean(),
    API_KEYS_ALLOWED_ENDPOINTS: z.string(),
    ENABLE_API_KEY_LIMITS: z.boolean(),
    DEFAULT_USER_ROLE: roleSchema,
    DEFAULT_GROUP_ID: z.string(),
    JWT_EXPIRES_IN: z
      .string()
      .regex(/^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/, 'is not a duration such as 4w, 12h or -1'),
    ENABLE_COMMUNITY_SHARING: z.boolean(),
    ENABLE_MESSAGE_RATING: z.boolean(),
    ENABLE_FOLDERS: z.boolean(),
    FOLDER_MAX_FILE_COUNT: z.int().nullable(),
    ENABLE_AUTOMATIONS: z.boolean(),
    AUTOMATION_MAX_COUNT: z.int().nullable(),
    AUTOMATION_MIN_INTERVAL: z.int().nullable(),
    ENABLE_CALENDAR: z.boolean(),
    ENABLE_CHANNELS: z.boolean(),
    ENABLE_MEMORIES: z.boolean(),
    ENABLE_NOTES: z.boolean(),
    ENABLE_USER_WEBHOOKS: z.boolean(),
    ENABLE_USER_STATUS: z.boolean(),
    PENDING_USER_OVERLAY_TITLE: z.string().nullable(),
    PENDING_USER_OVERLAY_CONTENT: z.string().nullable(),
    RESPONSE_WATERMARK: z.string().nullable(),
  })
  .meta({ id: 'AuthAdminConfig' })

/** `redirect_url` is the URL to which the user is redirected, if the gateway returns one. */
const signedOutSchema = statusSchema
  .extend({ redirect_url: z.string().optional() })
  .meta({ id: 'SignedOut' })

export const authEndpoints = defineEndpoints(
  { domain: 'auths', tag: 'Sign-in', root: '/api/v1/auths' },
  {
    signup: {
      method: 'POST',
      path: '/signup',
      auth: 'none',
      body: z
        .object({
          name: nameSchema,
          email: emailSchema,
          password: passwordSchema,
          profile_image_url: imageUrlSchema.optional(),
          /** Code from the log, for the first account of a gateway reachable by other machines. */
          setup_code: z.string().max(100).optional(),
        })
        .meta({
          id: 'SignUp',
          example: { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' },
        }),
      response: sessionSchema,
      errors: [400, 403, 429],
      summary: 'Creates an account; the first one becomes admin and closes sign-up.',
    },
    signin: {
      method: 'POST',
      path: '/signin',
      auth: 'none',
      body: z
        .object({
          email: z.string().max(254),
          password: z.string().max(1024),
          /** Code from the log, for the first account if a proxy in front signs users in. */
          setup_code: z.string().max(100).optional(),
        })
        .meta({
          id: 'SignIn',
          example: { email: 'ada@example.com', password: 'correct horse battery' },
        }),
      response: sessionSchema,
      errors: [400, 403, 429],
      summary:
        'Signs in by e-mail and password, or as the user named by a reverse proxy that is trusted to sign users in.',
    },
    desktop: {
      method: 'POST',
      path: '/desktop',
      auth: 'none',
      body: z.object({ code: z.string().min(16).max(256) }),
      response: sessionSchema,
      errors: [401, 403],
      summary: 'Exchanges the single-use code of the desktop app for a session.',
    },
    local: {
      method: 'POST',
      path: '/local',
      auth: 'none',
      body: z.object({ token: z.string().min(16).max(256) }),
      response: sessionSchema,
      errors: [401, 403, 429],
      summary:
        'Exchanges the token of `local-access.json` in the data folder for a quarter of an hour as the first administrator.',
    },
    signout: {
      method: 'POST',
      path: '/signout',
      auth: 'none',
      response: signedOutSchema,
      summary: 'Ends the session and revokes its token.',
    },
    signoutByGet: {
      method: 'GET',
      path: '/signout',
      auth: 'none',
      response: signedOutSchema,
      summary: 'The same, for clients of older releases.',
    },
    session: {
      method: 'GET',
      path: '/',
      auth: 'session',
      response: ownSessionSchema,
      summary: 'The signed-in user.',
    },
    listSessions: {
      method: 'GET',
      path: '/sessions',
      response: z.array(sessionInfoSchema),
      summary: 'Sessions of the caller, the last used first.',
    },
    endSession: {
      method: 'DELETE',
      path: '/sessions/:session_id',
      params: z.object({ session_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Ends one session of the caller at once.',
    },
    endOtherSessions: {
      method: 'DELETE',
      path: '/sessions',
      response: z.object({ ended: z.int() }),
      summary: 'Ends every session of the caller but the one this call is made with.',
    },
    updateProfile: {
      method: 'POST',
      path: '/update/profile',
      body: z.object({
        name: nameSchema,
        profile_image_url: imageUrlSchema.optional(),
        ...profileInput,
      }),
      response: sessionUserSchema.extend(profileSchema.partial().shape),
      errors: [400],
      summary: 'Changes name, picture and profile of the signed-in user.',
    },
    updateTimezone: {
      method: 'POST',
      path: '/update/timezone',
      auth: 'session',
      body: z.object({ timezone: z.string().trim().max(100) }),
      response: statusSchema,
      summary: 'Stores the time zone of the signed-in user.',
    },
    adminDetails: {
      method: 'GET',
      path: '/admin/details',
      auth: 'session',
      response: z.object({ name: z.string().nullable(), email: z.string() }),
      errors: [400],
      summary: 'Contact for approval and help.',
    },
    updatePassword: {
      method: 'POST',
      path: '/update/password',
      auth: 'session',
      body: z.object({ password: z.string().max(1024), new_password: passwordSchema }),
      response: doneSchema,
      errors: [400, 429],
      summary: 'Changes the password; every other session ends.',
    },
    addUser: {
      method: 'POST',
      path: '/add',
      auth: 'admin',
      body: z.object({
        name: nameSchema,
        email: emailSchema,
        password: passwordSchema,
        role: roleSchema.default('pending'),
        profile_image_url: imageUrlSchema.optional(),
      }),
      response: sessionSchema,
      errors: [400, 429],
      summary: 'Creates an account for another user.',
    },
    adminConfig: {
      method: 'GET',
      path: '/admin/config',
      auth: 'admin',
      response: authAdminConfigSchema,
      summary: 'Sign-in and key settings.',
    },
    updateAdminConfig: {
      method: 'POST',
      path: '/admin/config',
      auth: 'admin',
      body: authAdminConfigSchema.partial(),
      response: authAdminConfigSchema,
      errors: [400],
      summary: 'Changes sign-in and key settings.',
    },
    listApiKeys: {
      method: 'GET',
      path: '/api_keys',
      response: z.array(apiKeySchema),
      summary: 'The keys of the signed-in user.',
    },
    createApiKey: {
      method: 'POST',
      path: '/api_keys',
      body: z
        .object({ name: z.string().trim().min(1).max(100), ...apiKeyLimitsSchema.partial().shape })
        .meta({
          id: 'ApiKeyInput',
          example: {
            name: 'Backup script',
            allowed_endpoints: ['/api/v1/chats'],
            daily_requests: 1000,
          },
        }),
      response: apiKeySchema.extend({ api_key: z.string() }),
      errors: [400, 403],
      summary: 'Creates a named key. The secret is shown only here.',
    },
    deleteApiKey: {
      method: 'DELETE',
      path: '/api_keys/:key_id',
      params: z.object({ key_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Revokes a key at once.',
    },
    getDefaultApiKey: {
      method: 'GET',
      path: '/api_key',
      response: z.object({ api_key: z.string() }),
      errors: [403, 404],
      summary: 'For old scripts: 404, since a stored key cannot be shown again.',
    },
    createDefaultApiKey: {
      method: 'POST',
      path: '/api_key',
      response: z.object({ api_key: z.string() }),
      errors: [403],
      summary: 'For old scripts: replaces the key named "default".',
    },
    deleteDefaultApiKey: {
      method: 'DELETE',
      path: '/api_key',
      response: doneSchema,
      errors: [404],
      summary: 'For old scripts: revokes the key named "default".',
    },
  },
)
