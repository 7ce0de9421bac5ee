import { z } from './lazy-zod.ts'
import { ownSessionSchema, sessionSchema } from './auths.ts'
import { doneSchema, idSchema, jsonObjectSchema, roleSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Providers whose accounts can be used to sign in. URLs with the names these providers have
 * elsewhere lead to the same ones.
 */
export const OAUTH_PROVIDERS = Object.freeze(['idpa', 'idpb', 'idpc', 'oidc'] as const)
export const oauthProviderSchema = z.enum(OAUTH_PROVIDERS)
export type OAuthProviderId = z.output<typeof oauthProviderSchema>

/** Provider as seen by administrators. */
export const oauthProviderInfoSchema = z
  .object({
    id: oauthProviderSchema,
    /** Name on the sign-in page. */
    name: z.string(),
    /** True if all required settings are present, so that users can sign in with it. */
    is_configured: z.boolean(),
    /** Keys of missing settings; empty if it is configured or none of its settings is present. */
    missing: z.array(z.string()),
    /** URL of its description; null for a provider without one. */
    discovery_url: z.string().nullable(),
    /**
     * URL to which users are redirected back, which has to be registered at the provider exactly
     * like this.
     */
    redirect_uri: z.string(),
    /** URL at which it may report sign-outs; null while that is switched off. */
    backchannel_logout_uri: z.string().nullable(),
  })
  .meta({ id: 'OAuthProvider' })
export type OAuthProviderInfo = z.output<typeof oauthProviderInfoSchema>

/** Provider session kept for its tokens, none of which is ever shown. Times are unix seconds. */
export const oauthSessionSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    provider: z.string(),
    /** Expiry of the provider's access token; null if the provider did not state it. */
    expires_at: z.int().nullable(),
    /** True if it can be renewed without the user. */
    is_renewable: z.boolean(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'OAuthSession' })
export type OAuthSessionInfo = z.output<typeof oauthSessionSchema>

/** Steps of a sign-in, in order. */
export const OAUTH_STEPS = Object.freeze([
  'settings',
  'discovery',
  'authorization',
  'callback',
  'token',
  'id_token',
  'userinfo',
  'claims',
  'account',
] as const)
export const oauthStepSchema = z.enum(OAUTH_STEPS)
export type OAuthStep = z.output<typeof oauthStepSchema>

/** Rule that determined the role resulting from a sign-in. */
export const OAUTH_ROLE_RULES = Object.freeze([
  /** The claim names one of OAUTH_ADMIN_ROLES or OAUTH_ALLOWED_ROLES. */
  'admin_roles',
  'allowed_roles',
  /** The claim names none of them: the sign-in is rejected. */
  'not_allowed',
  /** Roles are managed, but the claim is missing or no roles are configured: DEFAULT_USER_ROLE. */
  'default',
  /**
   * Roles are not managed here: a new account gets DEFAULT_USER_ROLE, an existing one keeps its
   * role.
   */
  'new_account',
  'kept',
  /** The very first account is an administrator and stays one. */
  'first_account',
] as const)

const oauthRoleReportSchema = z.object({
  role: roleSchema.nullable(),
  /** Previous role of the account; null for a new one. */
  before: roleSchema.nullable(),
  rule: z.enum(OAUTH_ROLE_RULES),
  is_managed: z.boolean(),
  claim: z.string(),
  /** Values of the claim; null if it is missing. */
  found: z.array(z.string()).nullable(),
  /** Claim values that are configured. */
  matched: z.array(z.string()),
})
export type OAuthRoleReport = z.output<typeof oauthRoleReportSchema>

const oauthGroupReportSchema = z.object({
  is_managed: z.boolean(),
  claim: z.string(),
  found: z.array(z.string()).nullable(),
  /** Names of the account's groups after the sign-in. */
  groups: z.array(z.string()),
  joined: z.array(z.string()),
  left: z.array(z.string()),
  created: z.array(z.string()),
  /** Groups named by the claim, but blocked by OAUTH_BLOCKED_GROUPS. */
  blocked: z.array(z.string()),
  /** Groups named by the claim that do not exist and are not created. */
  unknown: z.array(z.string()),
  warning: z.string().nullable(),
})
export type OAuthGroupReport = z.output<typeof oauthGroupReportSchema>

/** Result a sign-in would have. */
export const oauthOutcomeSchema = z
  .object({
    /**
     * `known` by issuer and subject, `merged` into an account by its e-mail address, `created`, or
     * `refused`.
     */
    outcome: z.enum(['known', 'merged', 'created', 'refused']),
    /** Reason why it would be rejected. */
    reason: z.string().nullable(),
    user_id: z.string().nullable(),
    email: z.string().nullable(),
    email_verified: z.boolean().nullable(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    role: oauthRoleReportSchema.nullable(),
    groups: oauthGroupReportSchema.nullable(),
  })
  .meta({ id: 'OAuthOutcome' })
export type OAuthOutcome = z.output<typeof oauthOutcomeSchema>

/**
 * Test sign-in of an administrator that changed nothing, for checking the settings. Times are unix
 * seconds.
 */
export const oauthTestSchema = z
  .object({
    id: z.string(),
    provider: oauthProviderSchema,
    /**
     * `waiting` until the browser returns from the provider; it never does if the provider shows an
     * error of its own.
     */
    state: z.enum(['waiting', 'passed', 'failed']),
    started_at: z.int(),
    finished_at: z.int().nullable(),
    redirect_uri: z.string(),
    issuer: z.string().nullable(),
    client_id: z.string(),
    steps: z.array(
      z.object({
        step: oauthStepSchema,
        /** `warning`: passed, but possibly not as intended. */
        state: z.enum(['passed', 'warning', 'failed', 'skipped', 'waiting']),
        /** Result, and for a failed or doubtful step its remedy. */
        detail: z.string().nullable(),
        remedy: z.string().nullable(),
        /** Keys of the settings to check. */
        settings: z.array(z.string()),
      }),
    ),
    /**
     * All data the provider returned about the user: the merged claims of the ID token and of its
     * userinfo endpoint.
     */
    claims: jsonObjectSchema.nullable(),
    result: oauthOutcomeSchema.nullable(),
  })
  .meta({ id: 'OAuthTest' })
export type OAuthTest = z.output<typeof oauthTestSchema>

/** Parsed loosely: an unknown provider is 404, whatever its name. */
const providerParams = z.object({ provider: z.string().max(256) })
const longText = z.string().max(16_384).optional()

/** Path on the gateway itself; any other value is ignored. */
const redirectSchema = z.string().max(2000).optional()

/** Parameters a provider sends back with the browser; all other query parameters are ignored. */
const callbackQuery = z.object({
  code: longText,
  state: longText,
  iss: longText,
  error: longText,
  error_description: longText,
})

const LONGEST_LOGOUT_TOKEN = 64 * 1024

export const oauthEndpoints = defineEndpoints(
  { domain: 'oauth', tag: 'Sign-in' },
  {
    login: {
      method: 'GET',
      path: '/oauth/:provider/login',
      auth: 'none',
      reply: 'stream',
      params: providerParams,
      query: z.object({ redirect: redirectSchema }),
      response: z.unknown(),
      errors: [404, 429],
      summary:
        'Redirects the browser to the sign-in of a provider. `redirect` is the path of the gateway to return to.',
    },
    callback: {
      method: 'GET',
      path: '/oauth/:provider/callback',
      aliases: ['/oauth/:provider/login/callback'],
      auth: 'none',
      reply: 'stream',
      params: providerParams,
      query: callbackQuery,
      response: z.unknown(),
      errors: [404],
      summary:
        'Receives the browser from a provider and redirects it to `/auth`: signed in, with a code in the fragment (`#code=…`) for `oauth.session`, or with `?error=<sentence>`.',
    },
    backchannelLogout: {
      method: 'POST',
      path: '/oauth/backchannel-logout',
      auth: 'none',
      upload: { types: ['application/x-www-form-urlencoded'], limit: LONGEST_LOGOUT_TOKEN },
      response: z.object({}),
      errors: [400, 404, 429, 503],
      summary:
        'For providers: ends the sessions of a user who signed out there (OpenID Connect Back-Channel Logout).',
    },
    session: {
      method: 'POST',
      path: '/api/v1/auths/oauth/session',
      auth: 'none',
      body: z.object({ code: z.string().min(16).max(256) }).meta({ id: 'OAuthCode' }),
      response: ownSessionSchema,
      errors: [401],
      summary:
        'For the page a sign-in with a provider ends on: the single-use code of the fragment, with the cookie that was set beside it, gives the second half of the session.',
    },
    exchange: {
      method: 'POST',
      path: '/api/v1/auths/oauth/:provider/token/exchange',
      auth: 'none',
      params: providerParams,
      body: z.object({ token: z.string().min(1).max(16_384) }).meta({ id: 'OAuthExchange' }),
      response: sessionSchema,
      errors: [400, 403, 404, 429, 502, 504],
      summary:
        'Exchanges an access token of a provider, issued for this gateway, for a session of an existing account.',
    },
    sessions: {
      method: 'GET',
      path: '/api/v1/auths/oauth/sessions',
      response: z.array(oauthSessionSchema),
      summary: 'The stored sign-ins of the caller with providers, the newest first.',
    },
    endSessions: {
      method: 'DELETE',
      path: '/api/v1/auths/oauth/sessions/:provider',
      params: providerParams,
      response: doneSchema,
      errors: [404],
      summary:
        'Deletes the tokens of a provider for the caller; tools that need them ask for a new sign-in.',
    },
    sessionsOf: {
      method: 'GET',
      path: '/api/v1/users/:user_id/oauth/sessions',
      auth: 'admin',
      params: z.object({ user_id: idSchema }),
      response: z.array(oauthSessionSchema),
      errors: [400, 404],
      summary: 'The stored sign-ins of a user with providers; 400 for an account without any.',
    },
    endSessionOf: {
      method: 'DELETE',
      path: '/api/v1/users/:user_id/oauth/sessions/:session_id',
      auth: 'admin',
      params: z.object({ user_id: idSchema, session_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Deletes the tokens of one sign-in of a user.',
    },
    providers: {
      method: 'GET',
      path: '/api/v1/auths/admin/oauth/providers',
      auth: 'admin',
      response: z.object({
        /**
         * True if the settings of provider sign-in can be changed here
         * (ENABLE_OAUTH_PERSISTENT_CONFIG).
         */
        is_editable: z.boolean(),
        providers: z.array(oauthProviderInfoSchema),
      }),
      summary: 'The providers users may sign in with, and the missing settings of the others.',
    },
    beginTest: {
      method: 'POST',
      path: '/api/v1/auths/admin/oauth/:provider/tests',
      auth: 'admin',
      params: providerParams,
      body: z.object({
        /** Final path of the browser, with `oauth_test=<id>` added to its query. */
        return_to: redirectSchema,
      }),
      response: oauthTestSchema.extend({
        /** URL to which the browser is sent; null if it already failed. */
        url: z.string().nullable(),
      }),
      errors: [404],
      summary:
        'Starts a trial sign-in with a provider: it changes nothing and reports the result of each step.',
    },
    test: {
      method: 'GET',
      path: '/api/v1/auths/admin/oauth/tests/:test_id',
      auth: 'admin',
      params: z.object({ test_id: idSchema }),
      response: oauthTestSchema,
      errors: [404],
      summary: 'Result of a trial sign-in of the caller; kept for half an hour.',
    },
  },
)
