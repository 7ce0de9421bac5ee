import { admin, open, user, type MatrixRow } from './matrix-row.ts'

const NO_SERVER = () => ({ server_id: 'no-such-server' })
const NO_CLIENT = () => ({ client_id: 'mcp:no-such-server' })

/** The endpoints of tool servers. */
export const toolServerRows: Readonly<Record<string, MatrixRow>> = {
  'toolServers.list': admin(),
  'toolServers.replace': admin({ body: () => ({ TOOL_SERVER_CONNECTIONS: [] }) }),
  'toolServers.verify': admin({ body: () => ({ type: 'openapi', url: 'not an address' }), status: 400 }),
  'toolServers.register': admin({ body: () => ({ url: 'not an address', client_id: 'issues' }), status: 400 }),
  'toolServers.states': admin(),
  'toolServers.import': admin({ body: () => ({ mcpServers: { memory: { command: 'npx' } } }) }),
  'toolServers.answers': user(),
  'toolServers.forgetAnswers': user(),
  'toolServers.introspect': open(200, { token: 'made-up', audience: 'https://tools.example.org' }),
  'toolServers.approve': admin({ params: NO_SERVER, body: () => ({ fingerprint: 'x' }), status: 404 }),
  'toolServers.log': admin({ params: NO_SERVER, status: 404 }),
  'toolServers.signOut': { ...user(404), params: NO_SERVER },
  'toolServers.authorize': { ...user(404), params: NO_CLIENT },
  'toolServers.callback': { ...user(404), params: NO_CLIENT },
}
