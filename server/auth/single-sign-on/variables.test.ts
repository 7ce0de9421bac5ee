import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startVariables } from '../../config/variables.ts'
import { settingDefinitions } from '../../settings/definitions.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** Every variable of sign-in with other providers and by proxy headers. */
const VARIABLES = `
  WEBUI_URL ENABLE_OAUTH_PERSISTENT_CONFIG ENABLE_OAUTH_SIGNUP OAUTH_AUTO_REDIRECT
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL OAUTH_UPDATE_PICTURE_ON_LOGIN OAUTH_PICTURE_CLAIM ENABLE_PROFILE_IMAGE_URL_FORWARDING
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL WEBUI_SECRET_KEY OAUTH_SESSION_TOKEN_ENCRYPTION_KEY OAUTH_CLIENT_INFO_ENCRYPTION_KEY
  ENABLE_OAUTH_ID_TOKEN_COOKIE ENABLE_OAUTH_TOKEN_EXCHANGE ENABLE_OAUTH_BACKCHANNEL_LOGOUT OAUTH_MAX_SESSIONS_PER_USER
  IDPA_CLIENT_ID IDPA_CLIENT_SECRET OPENID_PROVIDER_URL IDPA_OAUTH_AUTHORIZE_PARAMS
  IDPB_CLIENT_ID IDPB_CLIENT_SECRET IDPB_CLIENT_TENANT_ID IDPB_REDIRECT_URI
  IDPB_OAUTH_SCOPE IDPC_CLIENT_ID IDPC_CLIENT_SECRET OAUTH_CLIENT_ID
  OAUTH_CLIENT_SECRET OAUTH_PROVIDER_NAME OAUTH_SCOPES OPENID_REDIRECT_URI
  OAUTH_AUDIENCE ENABLE_OAUTH_ROLE_MANAGEMENT OAUTH_ROLES_CLAIM OAUTH_ALLOWED_ROLES
  OAUTH_ADMIN_ROLES OAUTH_ROLES_SEPARATOR ENABLE_OAUTH_GROUP_MANAGEMENT OAUTH_GROUP_CLAIM
  ENABLE_OAUTH_GROUP_CREATION OAUTH_GROUP_DEFAULT_SHARE REDIS_URL
  WEBUI_AUTH_TRUSTED_EMAIL_HEADER WEBUI_AUTH_TRUSTED_NAME_HEADER WEBUI_AUTH_TRUSTED_GROUPS_HEADER WEBUI_AUTH_TRUSTED_ROLE_HEADER
  TRUSTED_PROXIES
`
  .trim()
  .split(/\s+/)
/** The gateway's other settings, which are held to the same rule. */
const own = settingDefinitions
  .filter(({ group }) => group === 'single-sign-on')
  .map(({ key }) => key)

const sources = (pattern: string, skip: RegExp) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !skip.test(file))
    .map((file) => read(file))
    .join('\n')
const product = sources(
  'server/**/*.ts',
  /\.test\.ts$|server\/testing\/|server\/settings\/[\w-]+-settings\.ts$|server\/config\/variables\.ts$/,
)
// Tests with a shared set-up name the variables in that set-up.
const tests = sources('server/{**/*.test.ts,testing/start-behind-proxy.ts}', /variables\.test\.ts$/)

const wordsOf = (text: string): Set<string> => new Set(text.match(/\b[A-Z][A-Z\d_]{3,}\b/g))
const used = wordsOf(product)
const tested = wordsOf(tests)
/** Names built from the id of a provider and a suffix. */
const isBuilt = (name: string): boolean => /^IDP[ABC]_PROVIDER_URL$/.test(name) && used.has(name)

it.each([...new Set([...VARIABLES, ...own])])(
  '%s has a setting, an effect and a test of its own',
  (name) => {
    const definition = settingDefinitions.find(({ key }) => key === name)
    const names = [name, ...(definition?.alias === undefined ? [] : [definition.alias])]
    expect(
      definition !== undefined || startVariables.some((variable) => variable.name === name),
      'no setting',
    ).toBe(true)
    expect(names.some((each) => used.has(each)) || isBuilt(name), 'nothing reads it').toBe(true)
    expect(
      names.some((each) => tested.has(each)),
      'no test names it',
    ).toBe(true)
    expect(read('docs/configuration.md'), 'not in the configuration page').toContain(`\`${name}\``)
  },
)
