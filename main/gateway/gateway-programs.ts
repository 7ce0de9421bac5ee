import { MessageChannelMain, utilityProcess, type UtilityProcess } from 'electron'
import { BARE_ENVIRONMENT } from './gateway-flags.ts'

interface ProgramStart {
  /** Assigned by the gateway. */
  readonly id: string
  readonly file: string
  /** Name in the system's list of processes. */
  readonly name: string
  readonly flags?: string[]
}

/**
 * Processes of one kind that the packaged gateway asks for, as it cannot start any itself. They
 * receive no environment, and a port to the gateway that bypasses this process. They end with the
 * gateway.
 */
export class GatewayPrograms {
  readonly #gateway: UtilityProcess
  readonly #kind: 'reader' | 'engine'
  readonly #most: number
  readonly #running = new Map<string, UtilityProcess>()

  constructor(
    gateway: UtilityProcess,
    { kind, most }: { readonly kind: 'reader' | 'engine'; readonly most: number },
  ) {
    this.#gateway = gateway
    this.#kind = kind
    this.#most = most
    gateway.once('exit', () => {
      for (const id of this.#running.keys()) this.stop(id)
    })
  }

  /** Starts a program; beyond the maximum it is reported as ended. */
  start({ id, file, name, flags }: ProgramStart): void {
    if (this.#running.has(id) || this.#running.size >= this.#most) return this.#reportEnd(id, null)
    const program = utilityProcess.fork(file, [], {
      serviceName: name,
      env: BARE_ENVIRONMENT,
      stdio: 'ignore',
      ...(flags && { execArgv: flags }),
    })
    this.#running.set(id, program)
    program.once('exit', (code) => {
      this.#running.delete(id)
      this.#reportEnd(id, code)
    })
    const { port1, port2 } = new MessageChannelMain()
    program.postMessage({ type: 'line' }, [port1])
    this.#gateway.postMessage({ type: `${this.#kind}-line`, id }, [port2])
  }

  stop(id: string): void {
    const pid = this.#running.get(id)?.pid
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  #reportEnd(id: string, code: number | null): void {
    this.#gateway.postMessage({ type: `${this.#kind}-ended`, id, code })
  }
}
