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
/** Tools, tool servers and plugins, without a Latin letter. */
export const extensionSamples: Record<string, unknown> = {
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
}
