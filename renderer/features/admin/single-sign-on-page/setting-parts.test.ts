import { expect, it } from 'vitest'
import type { Setting } from '#contract/settings.ts'
import { labelKeyOf, splitSettings } from './setting-parts.ts'

const KEYS = {
  accounts: [
    'ENABLE_OAUTH_SIGNUP',
    'OAUTH_MERGE_ACCOUNTS_BY_EMAIL',
    'OAUTH_PICTURE_CLAIM',
    'OAUTH_AUTO_REDIRECT',
  ],
  roles: ['ENABLE_OAUTH_ROLE_MANAGEMENT', 'OAUTH_ROLES_CLAIM', 'OAUTH_ADMIN_ROLES'],
  groups: ['ENABLE_OAUTH_GROUP_CREATION', 'OAUTH_GROUP_CLAIM', 'OAUTH_BLOCKED_GROUPS'],
  oidc: [
    'OAUTH_CLIENT_ID',
    'OAUTH_CLIENT_SECRET',
    'OPENID_PROVIDER_URL',
    'OAUTH_PROVIDER_NAME',
    'OAUTH_SCOPES',
    'OAUTH_AUDIENCE',
  ],
  idpa: ['IDPA_CLIENT_ID'],
  idpb: ['IDPB_CLIENT_TENANT_ID'],
  idpc: ['IDPC_TOKEN_URL'],
  sessions: [
    'OAUTH_MAX_SESSIONS_PER_USER',
    'ENABLE_OAUTH_TOKEN_EXCHANGE',
    'ENABLE_OAUTH_BACKCHANNEL_LOGOUT',
    'REDIS_URL',
  ],
}

const settingOf = (key: string, group = 'single-sign-on'): Setting => ({ key, group }) as Setting

it('shows every setting of sign-in with other providers by what it is about', () => {
  const settings = Object.values(KEYS).flatMap((keys) => keys.map((key) => settingOf(key)))
  const parts = splitSettings([settingOf('ENABLE_SIGNUP', 'sign-in'), ...settings.toReversed()])
  expect(
    Object.fromEntries(
      parts.map(([part, rows]) => [part, rows.map(({ key }) => key).toReversed()]),
    ),
  ).toEqual(KEYS)
})

it('calls settings of a named provider as those of any other', () => {
  expect(labelKeyOf('IDPA_CLIENT_ID')).toBe('OAUTH_CLIENT_ID')
  expect(labelKeyOf('IDPC_REDIRECT_URI')).toBe('OPENID_REDIRECT_URI')
  expect(labelKeyOf('IDPB_CLIENT_TENANT_ID')).toBe('IDPB_CLIENT_TENANT_ID')
  expect(labelKeyOf('OAUTH_CLIENT_ID')).toBe('OAUTH_CLIENT_ID')
})
