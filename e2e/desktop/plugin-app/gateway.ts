// Stands for the packed gateway: a utility process that starts Python for plugins itself.
import { createHash } from 'node:crypto'
import { createLogger } from '../../../server/lib/logger.ts'
import { ProgramConnections } from '../../../server/outgoing/program-connections.ts'
import { Runtime, type RuntimeOptions } from '../../../server/plugins/runtime.ts'
import { settingsOf } from '../../../server/testing/settings-of.ts'

const environment = process.env as Record<string, string>
const port = (process as typeof process & { parentPort: { postMessage(message: unknown): void } })
  .parentPort

const NOT_LISTED = { dialled: () => undefined, opened: () => undefined, ended: () => undefined }

const options = {
  folder: `${environment['FOLDER']}/plugins`,
  config: { environment, dataDir: environment['FOLDER'], closedFolders: [] },
  settings: settingsOf({
    JSON_BODY_MAX_DEPTH: 100,
    JSON_BODY_MAX_VALUES: 500_000,
    OFFLINE_MODE: true,
    PLUGIN_BASE_PACKAGES: JSON.parse(environment['BASE_PACKAGES']!) as string[],
    PLUGIN_ENVIRONMENTS: '',
    PLUGIN_IDLE_TIMEOUT: 0,
    PLUGIN_MEMORY_LIMIT: 0,
    PLUGIN_PROCESS_LIMIT: 0,
    PLUGIN_PYTHON: environment['PLUGIN_PYTHON'] ?? '',
    PLUGIN_THREAD_LIMIT: 64,
    PLUGIN_WORKER_LIMIT: 0,
    PLUGIN_WRITABLE_FOLDERS: [],
    WEBSOCKET_MAX_EVENT_SIZE: 4,
  }),
  programs: new ProgramConnections({ isElsewhere: () => true, begun: () => NOT_LISTED }),
  records: { all: () => [], find: () => null, update: () => undefined },
  log: createLogger('warn'),
} as unknown as RuntimeOptions

async function run(content: string, name: string): Promise<string> {
  const { environments, supervisor } = new Runtime(options)
  const place = { plugin: 'tool:tried', domain: 'administrators', toolAuthor: null }
  const worker = await supervisor.acquire(place, await environments.ensure([]))
  const listeners = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }
  const plugin = {
    store: 'tool',
    id: 'tried',
    hash: createHash('sha256').update(content).digest('hex'),
  }
  await worker.call({
    plugin: 'tool:tried',
    fields: { op: 'load', plugin, content, secret: '00', valves: null },
    listeners,
  })
  const { value } = await worker.call({
    plugin: 'tool:tried',
    fields: { op: 'tool', plugin, name, arguments: {} },
    listeners,
  })
  return JSON.stringify(value)
}

const fault = (error: unknown): string => String(error)
port.postMessage({ text: await run(environment['TOOL']!, environment['NAME']!).catch(fault) })
