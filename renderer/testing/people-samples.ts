import { DEFAULT_PERMISSIONS } from '#contract/permissions.ts'

/** Data without a Latin letter, so that every letter on the screen must come from the strings. */
export const user = {
  id: '1',
  name: '12 34',
  email: '1@2',
  role: 'admin' as const,
  profile_image_url: '',
  permissions: {},
}
const apiKey = {
  id: '1',
  name: '3',
  hint: '…',
  created_at: 1,
  last_used_at: 1,
  last_used_by: '4',
  expires_at: 1,
  allowed_models: ['5'],
  allowed_endpoints: ['6'],
  daily_requests: 7,
  daily_tokens: 8,
  today: { requests: 1, tokens: 2, resets_at: 1 },
}
const account = {
  ...user,
  is_first: true,
  group_ids: ['2'],
  last_active_at: 1,
  created_at: 1,
  updated_at: 1,
}
const group = {
  id: '2',
  name: '22',
  description: '33',
  permissions: { workspace: { models: true } },
  member_count: 1,
}
/** Accounts, groups and sign-in methods, without a Latin letter. */
export const peopleSamples: Record<string, unknown> = {
  'GET /api/v1/auths/api_keys': [apiKey],
  'GET /api/v1/auths/sessions': [true, false].map((current) => ({
    id: `${current}`,
    last_used_at: 1,
    user_agent: '',
    address: '1',
    current,
  })),
  'GET /api/v1/users/': {
    users: [account, { ...account, id: '2', role: 'pending', is_first: false }],
    total: 40,
  },
  'GET /api/v1/groups/': [group],
  'GET /api/v1/users/default/permissions': DEFAULT_PERMISSIONS,
}
