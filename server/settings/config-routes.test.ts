import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await startTestServer()
  token = await server.signUp('Root')
})
afterEach(() => server.close())

async function call(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, path, { token, body })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  return { status: reply.status, body: (await reply.json()) as any }
}
const CONFIGS = '/api/v1/configs'
const BANNER = {
  id: 'b1',
  type: 'info',
  title: 'News',
  content: 'Tea at five',
  dismissible: true,
  timestamp: 1,
}
const SUGGESTION = { title: ['Write', 'a poem'], content: 'Write a poem about tea' }

it('an export holds what was changed, and importing it elsewhere makes another gateway the same', async () => {
  await call('POST', `${CONFIGS}/banners`, { banners: [BANNER] })
  await call('POST', '/api/v1/settings', {
    values: { JWT_EXPIRES_IN: '1d', API_KEYS_ALLOWED_ENDPOINTS: ['/api/models'] },
  })
  const { body: config } = await call('GET', `${CONFIGS}/export`)
  expect(config).toMatchObject({
    JWT_EXPIRES_IN: '1d',
    WEBUI_BANNERS: [BANNER],
    API_KEYS_ALLOWED_ENDPOINTS: ['/api/models'],
    ENABLE_SIGNUP: false,
  })
  expect(config).not.toHaveProperty('ENABLE_NOTES')
  await call('POST', '/api/v1/settings', { values: { JWT_EXPIRES_IN: null, WEBUI_BANNERS: '[]' } })
  const { body: imported } = await call('POST', `${CONFIGS}/import`, {
    config: { ...config, UNKNOWN: { deep: 1 } },
  })
  expect(imported).toEqual(config)
})

it('an import that does not fit changes nothing', async () => {
  for (const config of [
    { ENABLE_SIGNUP: true, JWT_EXPIRES_IN: 'soon' },
    { ENABLE_SIGNUP: { deep: true } },
    { WEBUI_BANNERS: [{ id: 1 }] },
    { ui: { enable_signup: true }, version: 0 },
  ]) {
    expect((await call('POST', `${CONFIGS}/import`, { config })).status).toBe(400)
  }
  expect(server.context.settings.get('ENABLE_SIGNUP')).toBe(false)
})

it('banners, suggestions, connections and the webhook have endpoints of their own', async () => {
  expect((await call('POST', `${CONFIGS}/banners`, { banners: [BANNER] })).body).toEqual([BANNER])
  expect((await call('GET', `${CONFIGS}/banners`)).body).toEqual([BANNER])
  const suggestions = [SUGGESTION, { title: 'Single', content: 'One line' }]
  expect((await call('POST', `${CONFIGS}/suggestions`, { suggestions })).body).toEqual([
    SUGGESTION,
    { title: ['Single'], content: 'One line' },
  ])
  expect(
    (await call('POST', `${CONFIGS}/connections`, { ENABLE_DIRECT_CONNECTIONS: true })).body,
  ).toEqual({
    ENABLE_DIRECT_CONNECTIONS: true,
    ENABLE_BASE_MODELS_CACHE: false,
  })
  expect((await call('POST', '/api/webhook', { url: 'https://example.org/hook' })).body).toEqual({
    url: 'https://example.org/hook',
  })
  expect((await call('POST', '/api/webhook', { url: 'not an address' })).status).toBe(400)
  expect((await call('GET', '/api/webhook')).body).toEqual({ url: 'https://example.org/hook' })
})

it('the settings about people keep the form old clients know', async () => {
  const { body: config } = await call('GET', '/api/v1/auths/admin/config')
  expect(config).toMatchObject({
    ENABLE_SIGNUP: false,
    DEFAULT_USER_ROLE: 'pending',
    FOLDER_MAX_FILE_COUNT: null,
    AUTOMATION_MAX_COUNT: 50,
    AUTOMATION_MIN_INTERVAL: 300,
    API_KEYS_ALLOWED_ENDPOINTS: '',
  })
  const changed = {
    ...config,
    API_KEYS_ALLOWED_ENDPOINTS: '/api/models,/api/chat',
    RESPONSE_WATERMARK: null,
    ENABLE_CALENDAR: false,
    AUTOMATION_MAX_COUNT: null,
    AUTOMATION_MIN_INTERVAL: null,
  }
  const { body, status } = await call('POST', '/api/v1/auths/admin/config', changed)
  expect([status, body.API_KEYS_ALLOWED_ENDPOINTS, body.RESPONSE_WATERMARK]).toEqual([
    200,
    '/api/models,/api/chat',
    '',
  ])
  expect(body).toMatchObject({
    ENABLE_CALENDAR: false,
    AUTOMATION_MAX_COUNT: null,
    AUTOMATION_MIN_INTERVAL: 60,
  })
  const values = ['AUTOMATION_MAX_COUNT', 'AUTOMATION_MIN_INTERVAL'] as const
  expect(values.map((name) => server.context.settings.get(name))).toEqual([0, 60])
})

it('the bootstrap data says more to those who are signed in, and only the waiting text to those who wait', async () => {
  await call('POST', `${CONFIGS}/suggestions`, { suggestions: [SUGGESTION] })
  await server.context.settings.update({ PENDING_USER_OVERLAY_TITLE: 'Please wait' })
  const signedIn = (await call('GET', '/api/config')).body
  expect(signedIn).toMatchObject({
    user_count: 1,
    default_prompt_suggestions: [SUGGESTION],
    features: { enable_notes: true, folder_max_file_count: null },
  })
  const anonymous = (await (await server.call('GET', '/api/config')).json()) as Record<
    string,
    unknown
  >
  expect(Object.keys(anonymous)).not.toContain('permissions')
  expect(anonymous['features']).not.toHaveProperty('enable_notes')
  const { body: waiting } = await call('POST', '/api/v1/auths/add', {
    name: 'Bo',
    email: 'bo@example.org',
    password: 'a long password',
  })
  const pending = (await (
    await server.call('GET', '/api/config', { token: waiting.token as string })
  ).json()) as Record<string, unknown>
  expect(pending).toMatchObject({ ui: { pending_user_overlay_title: 'Please wait' } })
  expect(pending).not.toHaveProperty('user_count')
})

it('usage counts the people who were active lately, for administrators only when that is chosen', async () => {
  expect((await call('GET', '/api/usage')).body).toEqual({
    model_ids: [],
    user_count: expect.any(Number) as number,
  })
  await server.context.settings.update({ ENABLE_PUBLIC_ACTIVE_USERS_COUNT: false })
  expect((await call('GET', '/api/usage')).status).toBe(200)
  expect((await call('GET', '/api/version/updates')).body).toMatchObject({
    current: expect.any(String) as string,
  })
})
