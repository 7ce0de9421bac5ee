import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { PluginState } from '#contract/plugins.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../lib/ids.ts'
import { readLoginPath } from '../lib/login-path.ts'
import { requireWayOut, sealedError } from '../lib/outgoing/way-out.ts'
import type { Logger } from '../lib/logger.ts'
import type { ProgramConnections, ProgramWatch, WatchedProgram } from '../outgoing/index.ts'
import type { PluginsSettings } from './plugins-settings.ts'
import { describeRuntime } from './describe-runtime.ts'
import { nameCertificates } from './python/certificates.ts'
import { Environments } from './python/environments.ts'
import type { ReadyEnvironment } from './python/ready-environment.ts'
import { findPython, type PythonSearch } from './python/find-python.ts'
import { readRequirements } from './python/requirements.ts'
import { labelOf, type Records } from './records.ts'
import { startAlone, type LoneProgram } from './worker/start-alone.ts'
import type { WorkerProcess } from './worker/start-process.ts'
import { canFence, fenceIn, hostFolder } from './worker/fenced-program.ts'
import { readMessageBounds } from './worker/message-bounds.ts'
import { Supervisor } from './worker/supervisor.ts'

export interface RuntimeOptions {
  readonly folder: string
  readonly config: Config
  readonly settings: PluginsSettings
  readonly records: Records
  readonly programs: ProgramConnections
  readonly log: Logger
}

const UPKEEP_MILLISECONDS = 30_000
const MEBIBYTE = 1024 * 1024
/**
 * @NOTE The system counts the threads of all programs of the account, so this limit only stops
 *   unbounded growth before it is noticed; other programs started meanwhile must not exhaust it.
 */
const MOST_THREADS = 4096
const MOST_OPEN_FILES = 4096
/**
 * Environment variables passed to programs of plugins and to the installer; none is a secret of the
 * gateway.
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
const SEALED = 'Sealed mode is on, so nothing is installed. An administrator can change that.'
/** Entry in the list of outgoing connections. */
const PLUGIN_PROGRAM = { host: 'python', port: 0 }
/** Heading of the installer's connections in the same list. */
const PACKAGES: WatchedProgram = {
  kind: 'plugin_programs',
  purpose: () => ({ kind: 'packages' }),
}
const SWITCHED_OFF =
  'Installing packages is turned off. An administrator can allow it with ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS.'
/** Variables passed only to the installer: the URL of an index may contain a password. */
const INSTALLER_VARIABLES = ['PIP_INDEX_URL', 'PIP_CERT']

interface StartOptions {
  readonly folder: string
  /** Folders that no plugin program may read, and the readable ones inside them. */
  readonly closed: readonly string[]
  readonly readable: readonly string[]
  /** Folders that all of them may write to. */
  readonly writable: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly memory: number
  readonly mostProcesses: number
  readonly mostThreads: number
  /** True if programs of plugins have no network. */
  readonly isSealed: boolean
  readonly watch: ProgramWatch | null
}

/** A program and its arguments. */
export interface ProgramLine {
  readonly command: string
  readonly arguments: readonly string[]
}

/** Describes the start of a worker: its environment, writable folders and limits. */
function describeStart({ python, launcher, searchPath }: ReadyEnvironment, options: StartOptions) {
  const { closed, readable, writable, variables, memory, isSealed, watch } = options
  const { mostProcesses, mostThreads } = options
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
    fence: { closed, readable, writable: [folder, ...writable], offline: isSealed },
    watch,
    limits,
    descriptors: [3, 4],
    command: python,
    arguments: ['-P', '-s', '-B', '-X', 'utf8', '-m', 'plugin_host'],
  })
  return {
    ...program,
    folder,
    environment: { LANG: 'C.UTF-8', ...variables, ...places },
    ownProcesses: watch === null ? 0 : 1,
    mostProcesses,
    mostThreads,
  }
}

/** Names the plugins, by their labels, of which one has opened a connection. */
const nameOf = (labels: readonly string[]): string | null =>
  labels.map((label) => label.slice(label.indexOf(':') + 1)).join(', ') || null

function pick(
  environment: Config['environment'],
  names: readonly string[],
): Record<string, string> {
  const given = names.map((name) => [name, environment[name]] as const)
  return Object.fromEntries(
    given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  )
}

/** The runtime of plugins: the interpreter, its environments and the workers. */
export class Runtime {
  readonly #options: RuntimeOptions
  readonly #environment
  #python: Promise<PythonSearch> | null = null
  #found: PythonSearch | null = null
  #isFenced = true
  #upkeep: NodeJS.Timeout | undefined
  readonly #environmentsFolder
  readonly environments: Environments
  readonly supervisor: Supervisor
  #isPrepared = false

  constructor(options: RuntimeOptions) {
    this.#options = options
    const { folder, config, settings, records, programs, log } = options
    this.#environment = config.environment
    const variables = pick(this.#environment, PASSED_VARIABLES)
    const closed = [config.dataDir, ...config.closedFolders]
    this.#environmentsFolder =
      settings.get('PLUGIN_ENVIRONMENTS') || path.join(folder, 'environments')
    this.environments = new Environments({
      folder: this.#environmentsFolder,
      sealsFolder: path.join(folder, 'seals'),
      temporaryFolder: path.join(folder, 'workers'),
      closed,
      findPython: () => this.#search(),
      basePackages: () => settings.get('PLUGIN_BASE_PACKAGES'),
      refusal: () => this.#refusal(),
      watch: (command) => programs.watch(command, PACKAGES),
      variables: { ...variables, ...pick(this.#environment, INSTALLER_VARIABLES) },
      log,
    })
    this.supervisor = new Supervisor({
      log,
      mostWorkers: () => settings.get('PLUGIN_WORKER_LIMIT'),
      bounds: () => readMessageBounds(settings),
      describeStart: (ready, running) => {
        this.#requireFenceWhileSealed()
        return describeStart(ready, {
          isSealed: settings.get('SEALED_MODE'),
          watch: programs.watch(ready.launcher, {
            kind: 'plugin_programs',
            purpose: () => ({ kind: 'plugin', name: nameOf(running()) }),
          }),
          folder,
          closed,
          readable: [this.#environmentsFolder],
          writable: settings.get('PLUGIN_WRITABLE_FOLDERS').filter((each) => path.isAbsolute(each)),
          variables: {
            ...variables,
            ...(this.#found &&
              'python' in this.#found &&
              this.#found.python.packaged &&
              nameCertificates(variables)),
          },
          memory: settings.get('PLUGIN_MEMORY_LIMIT') * MEBIBYTE,
          mostProcesses: settings.get('PLUGIN_PROCESS_LIMIT'),
          mostThreads: settings.get('PLUGIN_THREAD_LIMIT'),
        })
      },
      onHopeless(label, reason) {
        const [store, id] = label.split(':') as ['tool' | 'function', string]
        if (!records.find({ store, id })) return
        log.error({ plugin: label, reason }, 'a plugin was disabled')
        const changes = { fault: reason, ...(store === 'function' && { isActive: false }) }
        records
          .update({ store, id }, changes)
          .catch((error: unknown) => log.error({ error }, 'a plugin could not be marked disabled'))
      },
    })
  }

  /**
   * Ends all workers and the installer, so that those started next have only the network allowed by
   * sealed mode.
   */
  async restartAll(): Promise<void> {
    this.environments.stopAll()
    await this.supervisor.restartAll()
  }

  describe(): PluginState {
    return describeRuntime({
      found: this.#found,
      isFenced: this.#isFenced,
      records: this.#options.records,
      environments: this.environments,
      supervisor: this.supervisor,
    })
  }

  /** Returns true if this system can sandbox a program (`startAlone`). */
  async canStartAlone(): Promise<boolean> {
    return (await this.#findLauncher()) !== null
  }

  /**
   * Starts a program that can only access its files. Resolves with null if this system cannot
   * sandbox it, unless it may run anyway.
   */
  async startAlone(program: LoneProgram, mayRoam: boolean): Promise<WorkerProcess | null> {
    const launcher = await this.#findLauncher()
    return launcher === null && !mayRoam ? null : startAlone(launcher, program)
  }

  /**
   * Returns a tool server's program with the launcher that reports its connections, where there is
   * one.
   */
  async watchProgram(line: ProgramLine, name: string): Promise<ProgramLine> {
    const { programs } = this.#options
    const kind = 'tool_programs'
    const place = await this.#search()
    if ('missing' in place) {
      programs.noteUnwatched(kind)
      return line
    }
    const purpose = () => ({ kind: 'tool_server', name }) as const
    const watch = programs.watch(line.command, { kind, purpose })
    return watch === null ? line : fenceIn({ ...line, launcher: place.python.launcher, watch })
  }

  /**
   * Installs the base packages once and in the background, so that the first plugin need not wait
   * for them. Does nothing without Python or permission to install.
   */
  prepare(): void {
    if (this.#isPrepared || this.#refusal() !== null) return
    this.#isPrepared = true
    this.#search()
      .then((place) => ('missing' in place ? null : this.environments.ensure([])))
      .catch((error: unknown) =>
        this.#options.log.debug({ error }, 'the first plugin has to wait for its packages'),
      )
  }

  /** Installs the requirements of active plugins and starts ending idle workers. */
  resume(): void {
    const { records, settings, log } = this.#options
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
      this.environments.ensure(lines === '' ? [] : lines.split('\n')).catch((error: unknown) => {
        log.warn({ error, plugin: labelOf(record) }, 'the packages of a plugin are missing')
      })
    }
    clearInterval(this.#upkeep)
    this.#upkeep = setInterval(
      () => this.supervisor.endIdle(settings.get('PLUGIN_IDLE_TIMEOUT')),
      UPKEEP_MILLISECONDS,
    ).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#upkeep)
    this.environments.close()
    await this.supervisor.close()
  }

  async #look(): Promise<PythonSearch> {
    const { folder, settings, log } = this.#options
    mkdirSync(folder, { recursive: true })
    // Compiled modules stored by earlier versions, which plugins could write.
    for (const each of [folder, this.#environmentsFolder])
      rmSync(path.join(each, 'pycache'), { recursive: true, force: true })
    const searchPath = await readLoginPath(this.#environment as Record<string, string>)
    // The desktop app sets the path of its own Python.
    const packagedFolder = this.#environment['PACKAGED_PYTHON'] || null
    this.#found = await findPython({
      wanted: settings.get('PLUGIN_PYTHON'),
      packagedFolder,
      searchPath,
      folder,
    })
    // Python may be installed meanwhile.
    if ('missing' in this.#found) this.#python = null
    else this.#isFenced = await canFence(this.#found.python.launcher, folder)
    if (!this.#isFenced)
      log.warn(
        'plugins run without a sandbox: this system cannot keep them from the files of the account',
      )
    return this.#found
  }

  #search(): Promise<PythonSearch> {
    return (this.#python ??= this.#look())
  }

  /** Returns the interpreter that creates sandboxes, if there is one. */
  async #findLauncher(): Promise<string | null> {
    const place = await this.#search()
    return 'missing' in place || !this.#isFenced ? null : place.python.launcher
  }

  /** Without a sandbox a program has access to the network. */
  #requireFenceWhileSealed(): void {
    if (!this.#options.settings.get('SEALED_MODE') || this.#canFence()) return
    requireWayOut(PLUGIN_PROGRAM, { kind: 'plugin' })
    throw sealedError(PLUGIN_PROGRAM.host)
  }

  #canFence(): boolean {
    return this.#found !== null && 'python' in this.#found && this.#isFenced
  }

  #refusal(): string | null {
    const { settings } = this.#options
    if (settings.get('SEALED_MODE')) return SEALED
    if (settings.get('OFFLINE_MODE'))
      return 'The gateway is in offline mode, so nothing is installed.'
    return settings.get('ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS') ? null : SWITCHED_OFF
  }
}
