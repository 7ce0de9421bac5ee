import { DEFAULT_PERMISSIONS } from '#contract/permissions.ts'
import type { GatewayConfig } from '#contract/system.ts'
import { codePackages, codeState } from './code-samples.ts'
import { sampleConnection, sampleModel, sampleModelRow, samplePrompt } from './samples.ts'

/** Data without a Latin letter, so that every letter on the screen has to come from the strings. */
export const user = {
  id: '1',
  name: '12 34',
  email: '1@2',
  role: 'admin' as const,
  profile_image_url: '',
  permissions: {},
}
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
const note = {
  id: '3',
  user_id: '1',
  title: '4',
  data: { content: { md: '5' } },
  meta: {},
  is_pinned: true,
  created_at: 1,
  updated_at: 1,
  write_access: true,
  user: null,
  access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  access_control: null,
}
const file = {
  id: '8',
  user_id: '1',
  hash: '2',
  filename: '3',
  data: { status: 'failed', error: '4' },
  meta: { name: '3', content_type: '5', size: 6_000, data: {}, collection_name: null },
  created_at: 1,
  updated_at: 1,
}
const toolServer = {
  origin: 'environment',
  type: 'mcp',
  url: '',
  path: '',
  auth_type: 'none',
  key: '',
  headers: {},
  config: {
    enable: true,
    access_grants: [],
    access_control: null,
    function_name_filter_list: '',
    approval: null,
  },
  info: { id: '1', name: '2', description: '3', oauth_client_info: null },
  spec_type: 'url',
  spec: '',
  command: '4',
  args: ['5'],
  env: {},
}
const plugin = {
  id: '1',
  user_id: '1',
  name: '2',
  meta: { description: '3', manifest: { version: '4', author: '5' } },
  has_user_valves: true,
  write_access: true,
  fault: null,
  missing_package: '9',
  user: null,
  created_at: 1,
  updated_at: 1,
  access_grants: [],
  access_control: null,
}
/** What a gateway answers, by method and path. */
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
  'GET /api/v1/code': codeState,
  'GET /api/v1/code/packages': codePackages,
  'GET /api/v1/settings': [
    setting,
    { ...setting, key: '10', type: 'string', value: '1', default: '2', locked: false },
  ],
  'GET /api/v1/prompts/': [
    samplePrompt({ command: '1', name: '12', content: '{{3}}', tags: ['5'], is_active: false }),
  ],
  'GET /api/v1/models/list': {
    items: [
      sampleModelRow({ id: '3', name: '4', base_model_id: '9', meta: { tags: [{ name: '5' }] } }),
    ],
    total: 1,
  },
  'GET /api/models/base': { data: [sampleModel({ id: '7', name: '7', connection_name: '5' })] },
  'GET /api/v1/models/base': [sampleModelRow({ id: '7', name: '8', base_model_id: null })],
  'GET /api/v1/configs/models': {
    DEFAULT_MODELS: '7',
    DEFAULT_PINNED_MODELS: '7',
    MODEL_ORDER_LIST: [],
  },
  'GET /api/v1/models/prices': [{ model: '1', input: 1, output: 2, currency: '…' }],
  'GET /api/v1/evaluations/leaderboard': {
    entries: [{ model_id: '7', rating: 1016, won: 1, lost: 0, count: 1, top_tags: [] }],
  },
  'GET /api/v1/evaluations/feedbacks/list': {
    items: [
      {
        id: '1',
        user_id: '1',
        version: 0,
        type: 'rating',
        data: { rating: 1, model_id: '7', reason: 'other', comment: '!' },
        meta: {},
        created_at: 0,
        updated_at: 0,
        user: null,
      },
    ],
    total: 1,
  },
  'GET /api/v1/evaluations/config': {
    ENABLE_EVALUATION_ARENA_MODELS: true,
    EVALUATION_ARENA_MODELS: [
      { id: '1', name: '2', meta: { model_ids: ['3'], filter_mode: 'exclude' } },
    ],
  },
  'GET /api/v1/configs/tool_servers': { TOOL_SERVER_CONNECTIONS: [toolServer] },
  'GET /api/v1/tool_servers': [
    {
      id: '1',
      name: '2',
      status: 'changed',
      detail: '3',
      checked_at: 1,
      tools: [{ name: '4', description: '5', parameters: {} }],
      changed_tools: ['4'],
      fingerprint: '6',
      sessions: 0,
    },
  ],
  'GET /api/v1/tools/': [plugin],
  'GET /api/v1/tools/list': [plugin],
  'GET /api/v1/tools/id/3': {
    ...plugin,
    content: '7',
    specs: [{ name: '1', description: '2', parameters: {} }],
    access_grants: [],
  },
  'GET /api/v1/functions/': [
    { ...plugin, type: 'action', is_active: false, is_global: false, fault: null },
  ],
  'GET /api/v1/functions/list': [
    { ...plugin, type: 'filter', is_active: true, is_global: true, fault: '7' },
  ],
  'GET /api/v1/plugins/traces': [
    {
      id: '1',
      hook: '2',
      status: 'failed',
      duration: 3,
      started_at: 1_000_000,
      error: { message: '4' },
    },
  ],
  'GET /api/v1/plugins/state': {
    python: { status: 'missing', path: null, version: null, detail: '8' },
    environments: [{ id: '1', requirements: ['2'], status: 'failed', log: ['3'], detail: '4' }],
    workers: [],
    faults: [],
  },
  'GET /api/v1/files/': {
    items: [file, { ...file, id: '9', data: { status: 'pending' } }],
    total: 3,
  },
  'GET /api/v1/files/usage': {
    count: 2,
    bytes: 9_000,
    quota_bytes: 99_000,
    max_file_bytes: null,
    max_count: null,
    allowed_extensions: [],
  },
  'GET /api/v1/knowledge/': { items: [], total: 0 },
  'GET /api/v1/retrieval/engine/suggestions': [],
  'GET /api/v1/retrieval/engine': {
    engine: 'built-in',
    kind: 'built-in',
    model: null,
    dimensions: 768,
    problem: null,
    documents: { total: 2, current: 1, failed: 0 },
    chunks: 4,
    reindex: { done: 1, total: 2, document: null },
  },
  'GET /api/v1/notes/search': { items: [note], total: 2 },
  'GET /api/v1/notes/3': note,
  'GET /api/v1/memories/': [{ id: '1', user_id: '1', content: '7', created_at: 1, updated_at: 1 }],
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
  'GET /api/v1/auths/oauth/sessions': [
    {
      id: '1',
      user_id: '1',
      provider: '2',
      expires_at: 1,
      is_renewable: false,
      created_at: 1,
      updated_at: 1,
    },
  ],
  'GET /api/v1/auths/admin/oauth/providers': {
    is_editable: false,
    providers: [
      {
        id: '1',
        name: '2',
        is_configured: false,
        missing: ['3'],
        discovery_url: null,
        redirect_uri: '4',
        backchannel_logout_uri: '5',
      },
    ],
  },
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
