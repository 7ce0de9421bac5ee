import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { PluginState } from '#contract/plugins.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../lib/ids.ts'
import { readLoginPath } from '../lib/login-path.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import { describeRuntime } from './describe-runtime.ts'
import { nameCertificates } from './python/certificates.ts'
import {
  createEnvironments,
  type Environments,
  type ReadyEnvironment,
} from './python/environments.ts'
import { findPython, type PythonSearch } from './python/find-python.ts'
import { readRequirements } from './python/requirements.ts'
import { labelOf, type Records } from './records.ts'
import { startAlone, type LoneProgram } from './worker/start-alone.ts'
import type { WorkerProcess } from './worker/start-process.ts'
import { canFence, fenceIn, hostFolder } from './worker/fenced-program.ts'
import { readMessageBounds } from './worker/message-bounds.ts'
import { createSupervisor, type Supervisor } from './worker/supervisor.ts'

/** What plugins run in: the interpreter, its environments and the workers. */
export interface Runtime {
  readonly environments: Environments
  readonly supervisor: Supervisor
  describe(): PluginState
  /** Whether this system can hold a program to what it is given (`startAlone`). */
  canStartAlone(): Promise<boolean>
  /**
   * Starts a program that reaches nothing but its files. Null where this system cannot hold it to
   * that, unless it may run anyway.
   */
  startAlone(program: LoneProgram, mayRoam: boolean): Promise<WorkerProcess | null>
  /**
   * Installs what every plugin finds, once and in the background, so that the first one need not
   * wait for it.
   */
  readonly prepare: () => void
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
 * @NOTE The system counts the threads of all programs of the account, so this only stops what
 *   multiplies without end before it is
 * noticed; programs people start meanwhile must not use it up.
 */
const MOST_THREADS = 4096
const MOST_OPEN_FILES = 4096
/**
 * What programs of plugins and the installer may see of the gateway's surroundings; nothing in it
 * is a secret of the gateway.
 */
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
  'SYSTEMROOT',
]
const SWITCHED_OFF =
  'Installing packages is switched off. An administrator can allow it with ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS.'
/** What the installer alone may see: the address of an index may hold a password. */
const INSTALLER_VARIABLES = ['PIP_INDEX_URL', 'PIP_CERT']

interface StartOptions {
  readonly folder: string
  /** Folders nothing plugins run may read, and those within that it may. */
  readonly closed: readonly string[]
  readonly readable: readonly string[]
  /** Folders all of them may write. */
  readonly writable: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly memory: number
  readonly mostProcesses: number
  readonly mostThreads: number
}

/** How a worker is started: what it sees, where it may write and how much it may take. */
function describeStart({ python, launcher, searchPath }: ReadyEnvironment, options: StartOptions) {
  const { closed, readable, writable, variables, memory, mostProcesses, mostThreads } = options
  const folder = path.join(options.folder, 'workers', newId())
  const temporary = path.join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const places = {
    PATH: searchPath,
    HOME: folder,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    PYTHONPATH: hostFolder,
  }
  const limits = {
    ...(memory > 0 && { memory }),
    ...(mostProcesses > 0 && { processes: MOST_THREADS }),
    open_files: MOST_OPEN_FILES,
  }
  const program = fenceIn({
    launcher,
    fence: { closed, readable, writable: [folder, ...writable] },
    limits,
    descriptors: [3, 4],
    command: python,
    arguments: ['-P', '-s', '-B', '-X', 'utf8', '-m', 'plugin_host'],
  })
  return {
    ...program,
    folder,
    environment: { LANG: 'C.UTF-8', ...variables, ...places },
    mostProcesses,
    mostThreads,
  }
}

function pick(
  environment: Config['environment'],
  names: readonly string[],
): Record<string, string> {
  const given = names.map((name) => [name, environment[name]] as const)
  return Object.fromEntries(
    given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  )
}

function refusalToInstall(settings: RuntimeOptions['settings']): string | null {
  if (settings.boolean('OFFLINE_MODE'))
    return 'The gateway is in offline mode, so nothing is installed.'
  return settings.boolean('ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS') ? null : SWITCHED_OFF
}

interface Preparation {
  readonly search: () => Promise<PythonSearch>
  readonly refusal: () => string | null
  readonly environments: Pick<Environments, 'ensure'>
  readonly log: Logger
}

/**
 * See `prepare`. Where there is no Python or no permission to install, nothing is begun that could
 * only fail.
 */
function prepareOnce({ search, refusal, environments, log }: Preparation): () => void {
  let isBegun = false
  return () => {
    if (isBegun || refusal() !== null) return
    isBegun = true
    search()
      .then((place) => ('missing' in place ? null : environments.ensure([])))
      .catch((error: unknown) =>
        log.debug({ error }, 'the first plugin has to wait for its packages'),
      )
  }
}

/**
 * Starts for programs of the gateway itself, with the interpreter that builds fences where there is
 * one.
 */
function createLoneStarts(
  search: () => Promise<PythonSearch>,
  isFenced: () => boolean,
): Pick<Runtime, 'canStartAlone' | 'startAlone'> {
  const findLauncher = async (): Promise<string | null> => {
    const place = await search()
    return 'missing' in place || !isFenced() ? null : place.python.launcher
  }
  return {
    canStartAlone: async () => (await findLauncher()) !== null,
    async startAlone(program, mayRoam) {
      const launcher = await findLauncher()
      return launcher === null && !mayRoam ? null : startAlone(launcher, program)
    },
  }
}

export function createRuntime({ folder, config, settings, records, log }: RuntimeOptions): Runtime {
  const { environment } = config
  const variables = pick(environment, PASSED_VARIABLES)
  const closed = [config.dataDir, ...config.closedFolders]
  let python: Promise<PythonSearch> | null = null
  let found: PythonSearch | null = null
  let isFenced = true
  let upkeep: NodeJS.Timeout | undefined

  async function look(): Promise<PythonSearch> {
    mkdirSync(folder, { recursive: true })
    // Compiled modules earlier versions kept, which plugins could write.
    for (const each of [folder, environmentsFolder])
      rmSync(path.join(each, 'pycache'), { recursive: true, force: true })
    const searchPath = await readLoginPath(environment as Record<string, string>)
    // The desktop app says where its own is.
    const packagedFolder = environment['PACKAGED_PYTHON'] || null
    found = await findPython({
      wanted: settings.string('PLUGIN_PYTHON'),
      packagedFolder,
      searchPath,
      folder,
    })
    // Somebody may install one meanwhile.
    if ('missing' in found) python = null
    else isFenced = await canFence(found.python.launcher, folder)
    if (!isFenced)
      log.warn(
        'plugins run without a fence: this system cannot keep them from files of the account',
      )
    return found
  }

  const search = (): Promise<PythonSearch> => (python ??= look())

  const refusal = (): string | null => refusalToInstall(settings)
  const environmentsFolder =
    settings.string('PLUGIN_ENVIRONMENTS') || path.join(folder, 'environments')
  const environments = createEnvironments({
    folder: environmentsFolder,
    sealsFolder: path.join(folder, 'seals'),
    temporaryFolder: path.join(folder, 'workers'),
    closed,
    findPython: search,
    basePackages: () => settings.list('PLUGIN_BASE_PACKAGES'),
    refusal,
    variables: { ...variables, ...pick(environment, INSTALLER_VARIABLES) },
    log,
  })

  const supervisor = createSupervisor({
    log,
    mostWorkers: () => settings.integer('PLUGIN_WORKER_LIMIT'),
    bounds: () => readMessageBounds(settings),
    describeStart: (ready) =>
      describeStart(ready, {
        folder,
        closed,
        readable: [environmentsFolder],
        writable: settings.list('PLUGIN_WRITABLE_FOLDERS').filter((each) => path.isAbsolute(each)),
        variables: {
          ...variables,
          ...(found && 'python' in found && found.python.packaged && nameCertificates(variables)),
        },
        memory: settings.integer('PLUGIN_MEMORY_LIMIT') * MEBIBYTE,
        mostProcesses: settings.integer('PLUGIN_PROCESS_LIMIT'),
        mostThreads: settings.integer('PLUGIN_THREAD_LIMIT'),
      }),
    onHopeless(label, reason) {
      const [store, id] = label.split(':') as ['tool' | 'function', string]
      if (!records.find({ store, id })) return
      log.error({ plugin: label, reason }, 'a plugin was disabled')
      records.update(
        { store, id },
        { fault: reason, ...(store === 'function' && { isActive: false }) },
      )
    },
  })

  const describe = (): PluginState =>
    describeRuntime({ found, isFenced, records, environments, supervisor })

  return {
    environments,
    supervisor,
    describe,
    ...createLoneStarts(search, () => isFenced),
    prepare: prepareOnce({ search, refusal, environments, log }),
    resume() {
      const inUse = [
        ...records.all('tool'),
        ...records.all('function').filter(({ isActive, builtIn }) => isActive && builtIn === null),
      ]
      const sets = new Map(
        inUse.map((record) => [
          readRequirements(record.description.requirements).requirements.join('\n'),
          record,
        ]),
      )
      for (const [lines, record] of sets) {
        environments.ensure(lines === '' ? [] : lines.split('\n')).catch((error: unknown) => {
          log.warn({ error, plugin: labelOf(record) }, 'the packages of a plugin are not there')
        })
      }
      clearInterval(upkeep)
      upkeep = setInterval(
        () => supervisor.endIdle(settings.integer('PLUGIN_IDLE_TIMEOUT')),
        UPKEEP_MILLISECONDS,
      ).unref()
    },
    async close() {
      clearInterval(upkeep)
      environments.close()
      await supervisor.close()
    },
  }
}
