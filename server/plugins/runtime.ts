import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { PluginState } from '#contract/plugins.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../lib/ids.ts'
import { readLoginPath } from '../lib/login-path.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import { describeRuntime } from './describe-runtime.ts'
import { nameCertificates } from './python/certificates.ts'
import { createEnvironments, type Environments } from './python/environments.ts'
import { findPython, type PythonSearch } from './python/find-python.ts'
import { readRequirements } from './python/requirements.ts'
import { labelOf, type Records } from './records.ts'
import { createSupervisor, type Supervisor } from './worker/supervisor.ts'

/** What plugins run in: the interpreter, its environments and the workers. */
export interface Runtime {
  readonly environments: Environments
  readonly supervisor: Supervisor
  describe(): PluginState
  /** Installs what plugins in use need and begins to end idle workers. */
  resume(): void
  close(): Promise<void>
}

export interface RuntimeOptions {
  readonly folder: string
  readonly config: Config
  readonly settings: Pick<Settings, 'boolean' | 'integer' | 'list' | 'string'>
  readonly records: Records
  readonly log: Logger
}

const UPKEEP_MILLISECONDS = 30_000
const MEBIBYTE = 1024 * 1024
/**
 * @NOTE The system counts the threads of all programs of the account, so this only stops what multiplies without end before it is
 * noticed; programs people start meanwhile must not use it up.
 */
const MOST_THREADS = 4096
const MOST_OPEN_FILES = 4096
/** What programs of plugins and the installer may see of the gateway's surroundings; nothing in it is a secret of the gateway. */
const PASSED_VARIABLES = [
  'LANG',
  'LC_ALL',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'PIP_INDEX_URL',
  'PIP_CERT',
  'SYSTEMROOT',
  'TMPDIR',
  'TEMP',
]

/** Beside the bundle, else where the sources are. Python cannot look into the archive of the packaged app. */
function findHostFolder(): string {
  const folders = [path.join(import.meta.dirname, 'plugin-host'), path.resolve(import.meta.dirname, '../../resources/plugin-host/src')]
  const found = folders.map((folder) => folder.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')).find((folder) => existsSync(folder))
  return found ?? folders[0]!
}

/** How a worker is started: what it sees, where it may write and how much it may take. */
function describeStart(options: {
  folder: string
  /** Folders nothing plugins run may reach, and those within that it may. */
  fence: { closed: readonly string[]; opened: readonly string[] }
  variables: Readonly<Record<string, string>>
  searchPath: string
  memory: number
  mostProcesses: number
}) {
  const { folder, fence, variables, searchPath, memory, mostProcesses } = options
  const own = path.join(folder, 'workers', newId())
  mkdirSync(own, { recursive: true })
  const places = { PATH: searchPath, HOME: own, PYTHONPATH: findHostFolder(), PYTHONPYCACHEPREFIX: path.join(folder, 'pycache') }
  const limits = { ...(memory > 0 && { memory }), ...(mostProcesses > 0 && { processes: MOST_THREADS }), open_files: MOST_OPEN_FILES }
  return { folder: own, environment: { LANG: 'C.UTF-8', ...variables, ...places }, hello: { limits, fence }, mostProcesses }
}

export function createRuntime({ folder, config, settings, records, log }: RuntimeOptions): Runtime {
  const { environment } = config
  const given = PASSED_VARIABLES.map((name) => [name, environment[name]] as const)
  const variables = Object.fromEntries(given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
  let python: Promise<PythonSearch> | null = null
  let found: PythonSearch | null = null
  let upkeep: NodeJS.Timeout | undefined

  async function look(): Promise<PythonSearch> {
    mkdirSync(folder, { recursive: true })
    const searchPath = await readLoginPath(environment as Record<string, string>)
    // The desktop app says where its own is.
    const packagedFolder = environment['PACKAGED_PYTHON'] || null
    found = await findPython({ wanted: settings.string('PLUGIN_PYTHON'), packagedFolder, searchPath, folder })
    // Somebody may install one meanwhile.
    if ('missing' in found) python = null
    return found
  }

  const search = (): Promise<PythonSearch> => (python ??= look())

  function refusal(): string | null {
    if (settings.boolean('OFFLINE_MODE')) return 'The gateway is in offline mode, so nothing is installed.'
    return settings.boolean('ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS') ? null : 'Installing packages is switched off.'
  }

  const environmentsFolder = settings.string('PLUGIN_ENVIRONMENTS') || path.join(folder, 'environments')
  const environments = createEnvironments({
    folder: environmentsFolder,
    findPython: search,
    basePackages: () => settings.list('PLUGIN_BASE_PACKAGES'),
    refusal,
    variables,
    log,
  })

  const supervisor = createSupervisor({
    log,
    describeStart: ({ searchPath }) =>
      describeStart({
        folder,
        fence: { closed: [config.dataDir], opened: [environmentsFolder] },
        variables: { ...variables, ...(found && 'python' in found && found.python.packaged && nameCertificates(variables)) },
        searchPath,
        memory: settings.integer('PLUGIN_MEMORY_LIMIT') * MEBIBYTE,
        mostProcesses: settings.integer('PLUGIN_PROCESS_LIMIT'),
      }),
    onHopeless(label, reason) {
      const [store, id] = label.split(':') as ['tool' | 'function', string]
      if (!records.find({ store, id })) return
      log.error({ plugin: label, reason }, 'a plugin was disabled')
      records.update({ store, id }, { fault: reason, ...(store === 'function' && { isActive: false }) })
    },
  })

  const describe = (): PluginState => describeRuntime({ found, records, environments, supervisor })

  return {
    environments,
    supervisor,
    describe,
    resume() {
      const inUse = [...records.all('tool'), ...records.all('function').filter(({ isActive, builtIn }) => isActive && builtIn === null)]
      const sets = new Map(inUse.map((record) => [readRequirements(record.description.requirements).requirements.join('\n'), record]))
      for (const [lines, record] of sets) {
        environments.ensure(lines === '' ? [] : lines.split('\n')).catch((error: unknown) => {
          log.warn({ error, plugin: labelOf(record) }, 'the packages of a plugin are not there')
        })
      }
      clearInterval(upkeep)
      upkeep = setInterval(() => supervisor.endIdle(settings.integer('PLUGIN_IDLE_TIMEOUT')), UPKEEP_MILLISECONDS).unref()
    },
    async close() {
      clearInterval(upkeep)
      environments.close()
      await supervisor.close()
    },
  }
}
