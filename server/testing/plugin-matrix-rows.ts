import { readDescription } from '../plugins/sources/description.ts'
import { PluginStore } from '../plugins/store.ts'
import type { World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

/** Written directly to the database, because creating one through the API needs Python. */
async function store({ server, ids }: World, name: 'tool' | 'function'): Promise<string> {
  const id = `plugin_${(counter += 1)}`
  const { storage, secrets, plugins } = server.context
  const kind = name === 'tool' ? ('tool' as const) : ('filter' as const)
  const about = {
    name: 'A plugin',
    kind,
    content: 'pass',
    meta: {},
    description: readDescription({}),
    valves: null,
    fault: null,
  }
  const times = { createdAt: 1, updatedAt: 1 }
  await new PluginStore(storage, secrets).insert({
    store: name,
    id,
    userId: ids.owner,
    authorId: ids.owner,
    isActive: true,
    isGlobal: false,
    ...about,
    ...times,
  })
  await plugins.resume()
  return id
}
const tool = async (world: World) => ({ tool_id: await store(world, 'tool') })
const anyFunction = async (world: World) => ({ function_id: await store(world, 'function') })

/** Administrators may use and change the tools of all users. */
const managed = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(tool, { others: { other: 404 }, ...row })
const REMOVED_BY_ADMIN = { others: { other: 404, admin: 200 }, status: 404 }
const SOURCE = { id: '1 is no name', name: 'Calculator', content: 'class Tools:\n    pass\n' }
const ADDRESS = { url: 'http://127.0.0.1/tool.py' }

/**
 * Rows for the endpoints of tools, functions and their runtime. The gateway of the matrix finds no
 * Python.
 */
export const pluginRows: Readonly<Record<string, MatrixRow>> = {
  'tools.list': user(),
  'tools.page': user(),
  'tools.export': { ...user(403), others: { admin: 200 } },
  'tools.loadAddress': admin({ body: () => ADDRESS, status: 400 }),
  'tools.create': { ...user(403, SOURCE), others: { admin: 400 } },
  'tools.get': managed(),
  'tools.update': managed({ body: () => ({ name: 'Renamed' }) }),
  'tools.updateAccess': managed({ body: () => ({ access_grants: [] }) }),
  'tools.remove': managed(REMOVED_BY_ADMIN),
  'tools.valves': managed(),
  'tools.valvesSpec': managed(),
  'tools.updateValves': managed({
    body: () => ({ unit: 'metric' }),
    status: 503,
    others: { other: 404, admin: 503 },
  }),
  'tools.userValves': managed(),
  'tools.userValvesSpec': managed(),
  'tools.updateUserValves': managed({
    body: () => ({ city: 'Oslo' }),
    status: 503,
    others: { other: 404, admin: 503 },
  }),
  'functions.list': user(),
  'functions.page': admin(),
  'functions.export': admin(),
  'functions.loadAddress': admin({ body: () => ADDRESS, status: 400 }),
  'functions.sync': admin({ body: () => ({ functions: [SOURCE] }), status: 503 }),
  'functions.create': admin({ body: () => SOURCE, status: 400 }),
  'functions.get': admin({ params: anyFunction }),
  'functions.toggle': admin({ params: anyFunction }),
  'functions.toggleGlobal': admin({ params: anyFunction }),
  'functions.update': admin({ params: anyFunction, body: () => ({ name: 'Renamed' }) }),
  'functions.remove': admin({ params: anyFunction }),
  'functions.valves': admin({ params: anyFunction }),
  'functions.valvesSpec': admin({ params: anyFunction }),
  'functions.updateValves': admin({
    params: anyFunction,
    body: () => ({ priority: 1 }),
    status: 503,
  }),
  'functions.userValves': { ...user(), params: anyFunction },
  'functions.userValvesSpec': { ...user(), params: anyFunction },
  'functions.updateUserValves': { ...user(503, { tone: 'kind' }), params: anyFunction },
  'plugins.state': admin(),
  'plugins.inspect': { ...user(403, { store: 'tool', content: 'pass' }), others: { admin: 503 } },
  'plugins.traces': user(),
  'plugins.run': owned(
    async (world) => ({ store: 'tool', plugin_id: await store(world, 'tool') }),
    {
      body: () => ({ hook: 'add', arguments: {} }),
      status: 503,
      others: { other: 404, admin: 503 },
    },
  ),
  'plugins.recover': admin({
    params: async (world) => ({ store: 'function', plugin_id: await store(world, 'function') }),
  }),
  'plugins.install': {
    ...user(403, { store: 'tool', content: 'pass', requirements: ['tiktoken'] }),
    others: { admin: 503 },
  },
  'plugins.environment': {
    ...user(404),
    params: () => ({ environment_id: 'no-such-environment' }),
  },
  'plugins.stopInstalling': {
    ...user(404),
    params: () => ({ environment_id: 'no-such-environment' }),
  },
  'plugins.reinstall': admin({
    params: () => ({ environment_id: 'no-such-environment' }),
    status: 404,
  }),
}
