import { machineSamples } from './machine-samples.ts'
import { signInSamples } from './sign-in-samples.ts'
import { documentSamples } from './document-samples.ts'
import { extensionSamples } from './extension-samples.ts'
import { modelSamples } from './model-samples.ts'
import { peopleSamples } from './people-samples.ts'
import type { GatewayConfig } from '#contract/system.ts'
import { codePackages, codeState } from './code-samples.ts'
import { sampleConnection, samplePrompt, sampleSkill } from './samples.ts'

export const config: GatewayConfig = {
  status: true,
  name: '77',
  version: '0.9.6',
  product_version: '1.0.0',
  default_locale: '',
  mode: 'server',
  oauth: { providers: {}, auto_redirect: false },
  features: { enable_signup: true, enable_api_keys: false },
}
const connection = sampleConnection({ name: '5', url: '127.0.0.1', key_hint: '…' })
const setting = {
  key: '9',
  type: 'boolean',
  value: true,
  default: false,
  origin: 'stored',
  locked: true,
  secret: false,
  is_set: true,
  help: '8',
  group: 'network',
}
const record = {
  id: '1',
  seq: 1,
  time: 1,
  method: '1',
  path: '2',
  status: 404,
  milliseconds: 3,
  program: '4',
  user: null,
  error: '5',
}
/** Responses of a gateway, by method and path. */
export const answers: Record<string, unknown> = {
  'GET /api/events': { schema: '0.9.6', events: [] },
  'GET /api/events/webhooks': [],
  'GET /api/v1/webhooks/gateway': { url: '', has_secret: false, waiting: 0, last_result: null },
  'GET /api/v1/webhooks/own': { url: '', has_secret: false, waiting: 0, last_result: null },
  'GET /api/v1/connections': [
    connection,
    { ...connection, id: '2', origin: 'found', state: { ...connection.state, status: 'unknown' } },
    {
      ...connection,
      id: '3',
      origin: 'environment',
      state: { ...connection.state, status: 'failed', detail: '6' },
    },
  ],
  'POST /api/v1/connections/examine': {
    step: 'address',
    verdict: 'bad',
    code: '1',
    text: '2',
    advice: '3',
    mends: [{ kind: 'address', url: '4' }, { kind: 'online' }, { kind: 'key' }],
  },
  'GET /api/v1/chats/imports': [{ import_id: '1', source: 'own', imported_at: 1, chats: 2 }],
  'POST /api/v1/chats/imports/programs': [],
  'GET /api/v1/code': codeState,
  'GET /api/v1/code/packages': codePackages,
  'GET /api/v1/settings': [
    setting,
    { ...setting, key: '10', type: 'string', value: '1', default: '2', locked: false },
  ],
  'GET /api/v1/prompts/': [
    samplePrompt({ command: '1', name: '12', content: '{{3}}', tags: ['5'], is_active: false }),
  ],
  'GET /api/v1/skills/': [sampleSkill({ id: '1', name: '12', description: '3', is_active: false })],
  'GET /api/v1/skills/id/1': {
    ...sampleSkill({ id: '1', name: '12', description: '3' }),
    content: '4',
  },
  'GET /api/v1/sharing': {
    on: true,
    ends_at: 1,
    name: '1',
    port: 2,
    addresses: [{ address: '3', interface: '4', chosen: true, url: '5', fault: null }],
    certificate: { fingerprint: '6', ends_at: 1, own: false, authority_fingerprint: '7' },
    system: 'linux',
    fault: null,
  },
  ...machineSamples,
  ...documentSamples,
  ...extensionSamples,
  ...modelSamples,
  ...peopleSamples,
  'GET /api/v1/sharing/devices': [
    {
      id: '1',
      person: '2',
      guest: true,
      user_agent: '3',
      address: '4',
      created_at: 1,
      last_used_at: 1,
      current: true,
    },
  ],
  'GET /api/v1/sharing/passes': [
    {
      id: '1',
      name: '2',
      models: ['3'],
      message_limit: 4,
      message_count: 5,
      created_at: 1,
      ends_at: 1,
      used_at: null,
      ended_at: null,
    },
  ],
  'GET /api/v1/auths/admin/config/ldap': { ENABLE_LDAP: true },
  'GET /api/v1/auths/admin/config/ldap/server': {
    label: '1',
    host: '2',
    port: 3,
    attribute_for_mail: '4',
    attribute_for_username: '5',
    app_dn: '6',
    app_dn_password: '',
    search_base: '7',
    search_filters: '8',
    use_tls: true,
    tls_mode: 'auto',
    validate_cert: true,
    certificate_path: '9',
    ciphers: '1',
  },
  ...signInSamples,
  'GET /api/v1/requests': { items: [record], total: 1, enabled: true, bodies: false, size: 5 },
  'GET /api/v1/requests/stream': () => new Response(new ReadableStream()),
  'GET /openapi.json': {
    paths: { '/1': { get: { operationId: '1', tags: ['2'], summary: '3' } } },
  },
  'GET /api/config': {
    ...config,
    default_prompt_suggestions: [{ title: ['1', '2'], content: '3' }],
  },
  'GET /api/v1/configs/banners': [
    { id: '1', type: 'info', title: '1', content: '2', dismissible: true, timestamp: 1 },
  ],
  'GET /api/v1/auths/admin/config': {
    PENDING_USER_OVERLAY_TITLE: '',
    PENDING_USER_OVERLAY_CONTENT: '',
  },
}
