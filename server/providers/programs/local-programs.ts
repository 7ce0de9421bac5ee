import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalProgram, LocalProgramId } from '#contract/programs.ts'
import type { Environment } from '../../config/env.ts'
import { conflict, notFound, timedOut, upstreamFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { reachPort } from '../doctor/reach.ts'
import { findProgram, type InstalledProgram } from './find-program.ts'
import { readKnownPrograms, type KnownProgram, type Launch } from './known-programs.ts'
import { runProgram, toProgramEnvironment, type RunningProgram } from './run-program.ts'

const PROBE_MILLISECONDS = 700
const BETWEEN_PROBES = 150
const START_MILLISECONDS = 45_000
const COMMAND_MILLISECONDS = 20_000

/** Program started by the gateway. */
interface Ours {
  readonly installed: InstalledProgram & { readonly file: string }
  readonly launch: Launch
  /** Serving process; null for a program that serves in the background. */
  readonly running: RunningProgram | null
}

interface Parts {
  readonly environment: Environment
  readonly isSealed: () => boolean
  readonly log: Logger
}

const listens = async ({ port }: KnownProgram): Promise<boolean> =>
  (await reachPort({ host: '127.0.0.1', port, isSecure: false }, PROBE_MILLISECONDS)) === null

/**
 * Local programs that serve models: reports whether they run, and starts and stops them. Only
 * programs started here are ever stopped.
 */
export class LocalPrograms {
  readonly #parts: Parts
  readonly #known: readonly KnownProgram[]
  readonly #ours = new Map<LocalProgramId, Ours>()
  readonly #starting = new Map<LocalProgramId, Promise<void>>()
  readonly #problems = new Map<LocalProgramId, string>()
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#known = readKnownPrograms(parts.environment)
  }

  /** Lists the installed programs. */
  async list(): Promise<LocalProgram[]> {
    const installed = this.#known.flatMap(
      (program) => findProgram(program, this.#parts.environment) ?? [],
    )
    return Promise.all(installed.map((each) => this.#describe(each)))
  }

  nameOf(port: number): string | null {
    return this.#known.find((known) => known.port === port)?.name ?? null
  }

  /** Returns the program that usually listens on a port. */
  findByPort(
    port: number,
  ): { readonly program: KnownProgram; readonly isInstalled: boolean } | null {
    const program = this.#known.find((known) => known.port === port)
    if (!program) return null
    return { program, isInstalled: findProgram(program, this.#parts.environment) !== null }
  }

  /** Returns true if the gateway can, and may, start an installed program. */
  canStart(id: LocalProgramId): boolean {
    const installed = this.#find(id)
    return installed !== null && this.#isStartable(installed)
  }

  /** Starts a program and waits until it listens; a second call joins the first. */
  async start(id: LocalProgramId): Promise<LocalProgram> {
    const installed = this.#require(id)
    let starting = this.#starting.get(id)
    if (!starting) {
      starting = this.#start(installed).finally(() => this.#starting.delete(id))
      this.#starting.set(id, starting)
    }
    await starting
    return this.#describe(installed)
  }

  /** Stops a program started by the gateway; throws 409 for any other. */
  async stop(id: LocalProgramId): Promise<LocalProgram> {
    const installed = this.#require(id)
    const ours = this.#ours.get(id)
    const { name } = installed.program
    if (!ours)
      throw conflict(`${name} was not started here, so it is not ended here either.`, {
        code: 'program_not_ours',
      })
    await this.#end(id, ours)
    return this.#describe(installed)
  }

  /** Stops the programs started here. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#starting.values())
    await Promise.all([...this.#ours].map(([id, ours]) => this.#end(id, ours)))
  }

  #find(id: LocalProgramId): InstalledProgram | null {
    const program = this.#known.find((known) => known.id === id)
    return program ? findProgram(program, this.#parts.environment) : null
  }

  #require(id: LocalProgramId): InstalledProgram {
    const installed = this.#find(id)
    if (!installed)
      throw notFound("This program is not installed on the gateway's computer.", {
        code: 'program_not_installed',
      })
    return installed
  }

  #isStartable({ program, file }: InstalledProgram): boolean {
    return program.launch !== null && file !== null && !this.#parts.isSealed()
  }

  async #describe(installed: InstalledProgram): Promise<LocalProgram> {
    const { program } = installed
    const { id, name, port, start } = program
    const isStarting = this.#starting.has(id)
    const isRunning = !isStarting && (await listens(program))
    return {
      id,
      name,
      url: `http://127.0.0.1:${port}`,
      state: isStarting ? 'starting' : isRunning ? 'running' : 'stopped',
      is_ours: this.#ours.has(id),
      can_start: this.#isStartable(installed),
      advice: start,
      problem: isRunning ? null : (this.#problems.get(id) ?? null),
    }
  }

  async #start(installed: InstalledProgram): Promise<void> {
    const { program, file } = installed
    const { id, name, port, launch } = program
    if (this.#parts.isSealed())
      throw conflict(
        `Sealed mode is on, and what ${name} sends could not be held back. Start it yourself if you want it to run.`,
        { code: 'program_sealed' },
      )
    if (launch === null || file === null)
      throw conflict(`${name} can only be started by hand. ${program.start}`, {
        code: 'program_by_hand',
      })
    if (this.#ours.has(id) || (await listens(program)))
      throw conflict(`${name} was not started: a program listens on port ${port} already.`, {
        code: 'program_runs',
      })
    this.#problems.delete(id)
    this.#parts.log.info({ program: id, file }, 'starting a program that serves models')
    const environment = { ...toProgramEnvironment(this.#parts.environment), ...launch.environment }
    const running = runProgram({ file, arguments: launch.arguments, environment })
    const isService = launch.stopArguments === null
    const ours = { installed: { program, file }, launch, running: isService ? running : null }
    this.#ours.set(id, ours)
    try {
      await (isService ? this.#watch(ours, running) : this.#awaitCommand(ours, running))
    } catch (error) {
      await running.stop()
      await this.#end(id, ours)
      throw error
    }
  }

  /** Waits until the program listens, and records when it exits later. */
  async #watch({ installed: { program } }: Ours, running: RunningProgram): Promise<void> {
    let hasEnded = false
    void running.ended.then((code) => {
      hasEnded = true
      // A program that was stopped here has already been removed.
      if (this.#ours.get(program.id)?.running !== running) return
      this.#ours.delete(program.id)
      this.#problems.set(program.id, this.#toEnding(program, running))
      this.#parts.log.warn({ program: program.id, code }, 'a program that serves models ended')
    })
    await this.#awaitPort(program, () => hasEnded && this.#toEnding(program, running))
  }

  /** Waits until the command has made its program listen. */
  async #awaitCommand({ installed: { program } }: Ours, running: RunningProgram): Promise<void> {
    const limit = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(COMMAND_MILLISECONDS)])
    const late = new Promise<'late'>((resolve) =>
      limit.addEventListener('abort', () => resolve('late'), { once: true }),
    )
    const code = await Promise.race([running.ended, late])
    if (code === 'late') throw this.#toLate(program)
    await this.#awaitPort(program, () => code !== 0 && this.#toEnding(program, running))
  }

  async #awaitPort(program: KnownProgram, readEnd: () => string | false): Promise<void> {
    const until = Date.now() + START_MILLISECONDS
    while (!this.#closing.signal.aborted && Date.now() < until) {
      const ending = readEnd()
      if (ending !== false) throw upstreamFailed(ending, { code: 'program_ended' })
      if (await listens(program)) return
      await sleep(BETWEEN_PROBES)
    }
    throw this.#toLate(program)
  }

  #toLate({ name, port }: KnownProgram) {
    return timedOut(`${name} was started but did not listen on port ${port} in time.`, {
      code: 'program_late',
    })
  }

  #toEnding({ name }: KnownProgram, running: RunningProgram): string {
    const last = running.lastLine()
    return last === ''
      ? `${name} ended by itself and said nothing.`
      : `${name} ended by itself. It said: ${last}`
  }

  async #end(id: LocalProgramId, ours: Ours): Promise<void> {
    if (this.#ours.get(id) !== ours) return
    this.#ours.delete(id)
    this.#parts.log.info({ program: id }, 'ending a program that the gateway started')
    if (ours.running) return ours.running.stop()
    const environment = toProgramEnvironment(this.#parts.environment)
    const { file } = ours.installed
    const command = runProgram({ file, arguments: ours.launch.stopArguments ?? [], environment })
    const timer = setTimeout(() => void command.stop(), COMMAND_MILLISECONDS)
    await command.ended
    clearTimeout(timer)
  }
}
