import { z } from './lazy-zod.ts'
import { ownSessionSchema, sessionSchema } from './auths.ts'
import { idSchema, jsonObjectSchema, roleSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Whose accounts people may sign in with. Addresses with the names these providers have elsewhere
 * lead to the same ones.
 */
export const OAUTH_PROVIDERS = Object.freeze(['idpa', 'idpb', 'idpc', 'oidc'] as const)
export const oauthProviderSchema = z.enum(OAUTH_PROVIDERS)
export type OAuthProviderId = z.output<typeof oauthProviderSchema>

/** A provider as administrators see it. */
export const oauthProviderInfoSchema = z
  .object({
    id: oauthProviderSchema,
    /** What the sign-in page calls it. */
    name: z.string(),
    /** Whether everything it needs is set, so that people can sign in with it. */
    is_configured: z.boolean(),
    /** Keys of settings that are missing; empty when it is configured or nothing of it is set. */
    missing: z.array(z.string()),
    /** Where its description lies; null for a provider without one. */
    discovery_url: z.string().nullable(),
    /**
     * The address people are sent back to, which has to be registered at the provider exactly so.
     */
    redirect_uri: z.string(),
    /** Where it may report that somebody signed out there; null while that is switched off. */
    backchannel_logout_uri: z.string().nullable(),
  })
  .meta({ id: 'OAuthProvider' })
export type OAuthProviderInfo = z.output<typeof oauthProviderInfoSchema>

/**
 * A sign-in with a provider that is kept for its tokens, none of which is ever shown. Times are
 * unix seconds.
 */
export const oauthSessionSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    provider: z.string(),
    /** When the provider's access token ends; null when it did not say. */
    expires_at: z.number().int().nullable(),
    /** Whether it can be renewed without the person. */
    is_renewable: z.boolean(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
  })
  .meta({ id: 'OAuthSession' })
export type OAuthSessionInfo = z.output<typeof oauthSessionSchema>

/** The steps of a sign-in, in their order. */
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

/** Which rule gave the role that a sign-in results in. */
export const OAUTH_ROLE_RULES = Object.freeze([
  /** The claim names one of OAUTH_ADMIN_ROLES or OAUTH_ALLOWED_ROLES. */
  'admin_roles',
  'allowed_roles',
  /** The claim names none of them: the sign-in is refused. */
  'not_allowed',
  /** Roles are managed, but the claim is missing or no roles are listed: DEFAULT_USER_ROLE. */
  'default',
  /**
   * Roles are not managed here: a new account gets DEFAULT_USER_ROLE, a known one keeps its role.
   */
  'new_account',
  'kept',
  /** The very first account is an administrator and stays one. */
  'first_account',
] as const)

const oauthRoleReportSchema = z.object({
  role: roleSchema.nullable(),
  /** The role of the account before; null for a new one. */
  before: roleSchema.nullable(),
  rule: z.enum(OAUTH_ROLE_RULES),
  is_managed: z.boolean(),
  claim: z.string(),
  /** What the claim says; null when it is missing. */
  found: z.array(z.string()).nullable(),
  /** What of it is listed. */
  matched: z.array(z.string()),
})
export type OAuthRoleReport = z.output<typeof oauthRoleReportSchema>

const oauthGroupReportSchema = z.object({
  is_managed: z.boolean(),
  claim: z.string(),
  found: z.array(z.string()).nullable(),
  /** Names of groups the account is in afterwards. */
  groups: z.array(z.string()),
  joined: z.array(z.string()),
  left: z.array(z.string()),
  created: z.array(z.string()),
  /** Named by the claim, but held back by OAUTH_BLOCKED_GROUPS. */
  blocked: z.array(z.string()),
  /** Named by the claim, but there is no such group and none is made. */
  unknown: z.array(z.string()),
  warning: z.string().nullable(),
})
export type OAuthGroupReport = z.output<typeof oauthGroupReportSchema>

/** What a sign-in would do. */
export const oauthOutcomeSchema = z
  .object({
    /**
     * `known` by issuer and subject, `merged` into an account by its e-mail address, `created`, or
     * `refused`.
     */
    outcome: z.enum(['known', 'merged', 'created', 'refused']),
    /** Why it would be refused. */
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
 * A sign-in of an administrator that changed nothing, for trying the settings. Times are unix
 * seconds.
 */
export const oauthTestSchema = z
  .object({
    id: z.string(),
    provider: oauthProviderSchema,
    /**
     * `waiting` until the browser comes back from the provider; it never does when the provider
     * shows a fault of its own.
     */
    state: z.enum(['waiting', 'passed', 'failed']),
    started_at: z.number().int(),
    finished_at: z.number().int().nullable(),
    redirect_uri: z.string(),
    issuer: z.string().nullable(),
    client_id: z.string(),
    steps: z.array(
      z.object({
        step: oauthStepSchema,
        /** `warning`: passed, but perhaps not as it is meant. */
        state: z.enum(['passed', 'warning', 'failed', 'skipped', 'waiting']),
        /** What happened, and for a step that failed or raises a doubt how to mend it. */
        detail: z.string().nullable(),
        remedy: z.string().nullable(),
        /** The settings to look at. */
        settings: z.array(z.string()),
      }),
    ),
    /**
     * Everything the provider said of the person: the claims of the ID token and of its userinfo
     * endpoint together.
     */
    claims: jsonObjectSchema.nullable(),
    result: oauthOutcomeSchema.nullable(),
  })
  .meta({ id: 'OAuthTest' })
export type OAuthTest = z.output<typeof oauthTestSchema>

/** Read loosely: a provider nobody has is 404, whatever it is called. */
const providerParams = z.object({ provider: z.string().max(256) })
const longText = z.string().max(16_384).optional()

/** A path of the gateway itself; anything else is passed over. */
const redirectSchema = z.string().max(2000).optional()

/** What a provider sends back with the browser; everything else in the query is passed over. */
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
        'Sends the browser to a provider to sign in there. `redirect` is the path of the gateway it ends on.',
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
        'Takes the browser back from a provider and leads it to `/auth`: signed in, with a code in the fragment (`#code=…`) for `oauth.session`, or with `?error=<sentence>`.',
    },
    backchannelLogout: {
      method: 'POST',
      path: '/oauth/backchannel-logout',
      auth: 'none',
      upload: { types: ['application/x-www-form-urlencoded'], limit: LONGEST_LOGOUT_TOKEN },
      response: z.object({}),
      errors: [400, 404, 429, 503],
      summary:
        'For providers: ends the sessions of somebody who signed out there (OpenID Connect Back-Channel Logout).',
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
        'Exchanges an access token of a provider, made for this gateway, for a session of somebody who has an account here.',
    },
    sessions: {
      method: 'GET',
      path: '/api/v1/auths/oauth/sessions',
      response: z.array(oauthSessionSchema),
      summary: 'The sign-ins with providers that are kept for the caller, the newest first.',
    },
    endSessions: {
      method: 'DELETE',
      path: '/api/v1/auths/oauth/sessions/:provider',
      params: providerParams,
      response: z.literal(true),
      errors: [404],
      summary:
        'Forgets the tokens of a provider for the caller; tools that need them ask for a new sign-in.',
    },
    sessionsOf: {
      method: 'GET',
      path: '/api/v1/users/:user_id/oauth/sessions',
      auth: 'admin',
      params: z.object({ user_id: idSchema }),
      response: z.array(oauthSessionSchema),
      errors: [400, 404],
      summary:
        'The sign-ins with providers that are kept for somebody; 400 for an account without any.',
    },
    endSessionOf: {
      method: 'DELETE',
      path: '/api/v1/users/:user_id/oauth/sessions/:session_id',
      auth: 'admin',
      params: z.object({ user_id: idSchema, session_id: idSchema }),
      response: z.literal(true),
      errors: [404],
      summary: 'Forgets the tokens of one sign-in of somebody.',
    },
    providers: {
      method: 'GET',
      path: '/api/v1/auths/admin/oauth/providers',
      auth: 'admin',
      response: z.object({
        /**
         * Whether the settings of sign-in with providers can be changed here
         * (ENABLE_OAUTH_PERSISTENT_CONFIG).
         */
        is_editable: z.boolean(),
        providers: z.array(oauthProviderInfoSchema),
      }),
      summary: 'The providers people may sign in with, and what is missing of the others.',
    },
    beginTest: {
      method: 'POST',
      path: '/api/v1/auths/admin/oauth/:provider/tests',
      auth: 'admin',
      params: providerParams,
      body: z.object({
        /** The path the browser ends on, with `oauth_test=<id>` added to its query. */
        return_to: redirectSchema,
      }),
      response: oauthTestSchema.extend({
        /** Where to send the browser; null when it already failed. */
        url: z.string().nullable(),
      }),
      errors: [404],
      summary:
        'Begins a sign-in with a provider that changes nothing and tells how every step went.',
    },
    test: {
      method: 'GET',
      path: '/api/v1/auths/admin/oauth/tests/:test_id',
      auth: 'admin',
      params: z.object({ test_id: idSchema }),
      response: oauthTestSchema,
      errors: [404],
      summary: 'How a trial sign-in of the caller went; kept for half an hour.',
    },
  },
)
