import { admin, open, user, type MatrixRow } from './matrix-row.ts'

const NO_SERVER = () => ({ server_id: 'no-such-server' })
const NO_CLIENT = () => ({ client_id: 'mcp:no-such-server' })

/** Rows for the endpoints of tool servers. */
export const toolServerRows: Readonly<Record<string, MatrixRow>> = {
  'toolServers.list': admin(),
  'toolServers.replace': admin({ body: () => ({ TOOL_SERVER_CONNECTIONS: [] }) }),
  'toolServers.verify': admin({
    body: () => ({ type: 'openapi', url: 'not an address' }),
    status: 400,
  }),
  'toolServers.register': admin({
    body: () => ({ url: 'not an address', client_id: 'issues' }),
    status: 400,
  }),
  'toolServers.states': admin(),
  'toolServers.import': admin({ body: () => ({ mcpServers: { memory: { command: 'npx' } } }) }),
  'toolServers.answers': user(),
  'toolServers.forgetAnswers': user(),
  'toolServers.introspect': open(200, { token: 'made-up', audience: 'https://tools.example.org' }),
  'toolServers.approve': admin({
    params: NO_SERVER,
    body: () => ({ fingerprint: 'x' }),
    status: 404,
  }),
  'toolServers.log': admin({ params: NO_SERVER, status: 404 }),
  'toolServers.signOut': { ...user(404), params: NO_SERVER },
  'toolServers.frame': { ...user(403), others: { admin: 200 } },
  'toolServers.authorize': { ...user(404), params: NO_CLIENT },
  'toolServers.callback': { ...open(404), params: NO_CLIENT },
}

const NO_PIPELINE = () => ({ pipeline_id: 'no-such-pipeline' })

/** Rows for the endpoints of pipelines servers, of which there are none. */
export const pipelineRows: Readonly<Record<string, MatrixRow>> = {
  'pipelines.servers': admin(),
  'pipelines.list': admin({ status: 404 }),
  'pipelines.add': admin({
    body: () => ({ url: 'https://example.org/filter.py', urlIdx: 0 }),
    status: 404,
  }),
  'pipelines.upload': admin({ status: 415 }),
  'pipelines.remove': admin({ body: () => ({ id: 'filter', urlIdx: 0 }), status: 404 }),
  'pipelines.valves': admin({ params: NO_PIPELINE, status: 404 }),
  'pipelines.valvesSpec': admin({ params: NO_PIPELINE, status: 404 }),
  'pipelines.updateValves': admin({ params: NO_PIPELINE, body: () => ({}), status: 404 }),
}
