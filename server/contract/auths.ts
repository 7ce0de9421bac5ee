import { z } from 'zod'
import { emailSchema, idSchema, jsonObjectSchema, roleSchema, statusSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'

/** Passwords are at most 1,024 bytes (decisions §3); the byte count is checked again before hashing. */
const passwordSchema = z.string().min(1).max(1024)
const nameSchema = z.string().trim().min(1).max(200)

export const sessionUserSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    profile_image_url: z.string(),
    permissions: jsonObjectSchema,
  })
  .meta({ id: 'SessionUser' })
export type SessionUser = z.output<typeof sessionUserSchema>

/** What sign-in and sign-up answer; `expires_at` is unix seconds, null when the token never expires. */
export const sessionSchema = sessionUserSchema
  .extend({ token: z.string(), token_type: z.literal('Bearer'), expires_at: z.number().int().nullable() })
  .meta({ id: 'Session' })
export type Session = z.output<typeof sessionSchema>

/** A named key without its secret. Times are unix seconds. */
export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** First and last characters, for recognising the key: `sk-AbCd…wxyz`. */
    hint: z.string(),
    created_at: z.number().int(),
    last_used_at: z.number().int().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof apiKeySchema>

export const authAdminConfigSchema = z
  .looseObject({
    ENABLE_SIGNUP: z.boolean(),
    DEFAULT_USER_ROLE: roleSchema,
    JWT_EXPIRES_IN: z.string().regex(/^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/, 'is not a duration such as 4w, 12h or -1'),
    ENABLE_API_KEYS: z.boolean(),
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: z.boolean(),
    API_KEYS_ALLOWED_ENDPOINTS: z.string(),
    SHOW_ADMIN_DETAILS: z.boolean(),
    WEBUI_URL: z.string(),
  })
  .meta({ id: 'AuthAdminConfig' })

const tag = 'Sign-in'

export const authEndpoints = {
  signup: defineEndpoint({
    id: 'auths.signup',
    tag,
    method: 'POST',
    path: '/api/v1/auths/signup',
    auth: 'none',
    body: z.object({ name: nameSchema, email: emailSchema, password: passwordSchema, profile_image_url: z.string().max(512).optional() }),
    response: sessionSchema,
    errors: [400, 403, 429],
    summary: 'Creates an account; the first one becomes admin and closes sign-up.',
  }),
  signin: defineEndpoint({
    id: 'auths.signin',
    tag,
    method: 'POST',
    path: '/api/v1/auths/signin',
    auth: 'none',
    body: z.object({ email: z.string().max(254), password: z.string().max(1024) }),
    response: sessionSchema,
    errors: [400, 403, 429],
    summary: 'Signs in by e-mail and password.',
  }),
  desktop: defineEndpoint({
    id: 'auths.desktop',
    tag,
    method: 'POST',
    path: '/api/v1/auths/desktop',
    auth: 'none',
    body: z.object({ code: z.string().min(16).max(256) }),
    response: sessionSchema,
    errors: [401, 403],
    summary: 'Exchanges the single-use code of the desktop app for a session.',
  }),
  signout: defineEndpoint({
    id: 'auths.signout',
    tag,
    method: 'POST',
    path: '/api/v1/auths/signout',
    auth: 'none',
    response: statusSchema,
    summary: 'Ends the session and revokes its token.',
  }),
  signoutByGet: defineEndpoint({
    id: 'auths.signoutByGet',
    tag,
    method: 'GET',
    path: '/api/v1/auths/signout',
    auth: 'none',
    response: statusSchema,
    summary: 'The same, for clients of older releases.',
  }),
  session: defineEndpoint({
    id: 'auths.session',
    tag,
    method: 'GET',
    path: '/api/v1/auths/',
    auth: 'session',
    response: sessionSchema,
    summary: 'The signed-in user.',
  }),
  updateProfile: defineEndpoint({
    id: 'auths.updateProfile',
    tag,
    method: 'POST',
    path: '/api/v1/auths/update/profile',
    body: z.object({ name: nameSchema, profile_image_url: z.string().max(512).optional() }),
    response: sessionUserSchema,
    errors: [400],
    summary: 'Changes the name of the signed-in user.',
  }),
  updatePassword: defineEndpoint({
    id: 'auths.updatePassword',
    tag,
    method: 'POST',
    path: '/api/v1/auths/update/password',
    auth: 'session',
    body: z.object({ password: z.string().max(1024), new_password: passwordSchema }),
    response: z.literal(true),
    errors: [400, 429],
    summary: 'Changes the password; every other session ends.',
  }),
  addUser: defineEndpoint({
    id: 'auths.addUser',
    tag,
    method: 'POST',
    path: '/api/v1/auths/add',
    auth: 'admin',
    body: z.object({
      name: nameSchema,
      email: emailSchema,
      password: passwordSchema,
      role: roleSchema.default('pending'),
      profile_image_url: z.string().max(512).optional(),
    }),
    response: sessionSchema,
    errors: [400, 429],
    summary: 'Creates an account for somebody else.',
  }),
  adminConfig: defineEndpoint({
    id: 'auths.adminConfig',
    tag,
    method: 'GET',
    path: '/api/v1/auths/admin/config',
    auth: 'admin',
    response: authAdminConfigSchema,
    summary: 'Sign-in and key settings.',
  }),
  updateAdminConfig: defineEndpoint({
    id: 'auths.updateAdminConfig',
    tag,
    method: 'POST',
    path: '/api/v1/auths/admin/config',
    auth: 'admin',
    body: authAdminConfigSchema.partial(),
    response: authAdminConfigSchema,
    errors: [400],
    summary: 'Changes sign-in and key settings.',
  }),
  listApiKeys: defineEndpoint({
    id: 'auths.listApiKeys',
    tag,
    method: 'GET',
    path: '/api/v1/auths/api_keys',
    response: z.array(apiKeySchema),
    summary: 'The keys of the signed-in user.',
  }),
  createApiKey: defineEndpoint({
    id: 'auths.createApiKey',
    tag,
    method: 'POST',
    path: '/api/v1/auths/api_keys',
    body: z.object({ name: z.string().trim().min(1).max(100) }),
    response: apiKeySchema.extend({ api_key: z.string() }),
    errors: [400, 403],
    summary: 'Creates a named key. The secret is shown only here.',
  }),
  deleteApiKey: defineEndpoint({
    id: 'auths.deleteApiKey',
    tag,
    method: 'DELETE',
    path: '/api/v1/auths/api_keys/:key_id',
    params: z.object({ key_id: idSchema }),
    response: z.literal(true),
    errors: [404],
    summary: 'Revokes a key at once.',
  }),
  getDefaultApiKey: defineEndpoint({
    id: 'auths.getDefaultApiKey',
    tag,
    method: 'GET',
    path: '/api/v1/auths/api_key',
    response: z.object({ api_key: z.string() }),
    errors: [403, 404],
    summary: 'For old scripts: 404, since a stored key cannot be shown again.',
  }),
  createDefaultApiKey: defineEndpoint({
    id: 'auths.createDefaultApiKey',
    tag,
    method: 'POST',
    path: '/api/v1/auths/api_key',
    response: z.object({ api_key: z.string() }),
    errors: [403],
    summary: 'For old scripts: replaces the key named "default".',
  }),
  deleteDefaultApiKey: defineEndpoint({
    id: 'auths.deleteDefaultApiKey',
    tag,
    method: 'DELETE',
    path: '/api/v1/auths/api_key',
    response: z.literal(true),
    errors: [404],
    summary: 'For old scripts: revokes the key named "default".',
  }),
}
