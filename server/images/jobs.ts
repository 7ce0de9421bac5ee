import { badRequest, notFound, tooManyRequests, type ServiceError } from '../lib/errors.ts'
import { NamedRuns, type Live } from '../live/index.ts'
import type { Settings } from '../settings/index.ts'

/** Creates the error of a call that ended before its images were complete. */
export const stopped = (): ServiceError =>
  badRequest('The picture was stopped.', { code: 'stopped' })

const RETRY_SECONDS = 10

/**
 * The running calls: limits their number per user and their duration, and lets users stop the ones
 * they named.
 */
export class Jobs {
  readonly #named: NamedRuns
  readonly #endings = new Map<string, Set<AbortController>>()
  readonly #settings: Settings<'IMAGE_MAX_CALLS' | 'IMAGE_TIMEOUT'>

  constructor(settings: Settings<'IMAGE_MAX_CALLS' | 'IMAGE_TIMEOUT'>, live: Live | null) {
    this.#settings = settings
    this.#named = new NamedRuns(live, 'pictures')
  }

  /** Starts receiving the calls of other gateways. */
  open(): Promise<void> {
    return this.#named.open()
  }

  /** Runs a call within its limits. */
  async run<Value>(
    { userId, jobId, signal }: { userId: string; jobId: string | null; signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const count = this.#endings.get(userId)?.size ?? 0
    const most = this.#settings.get('IMAGE_MAX_CALLS')
    if (count >= most)
      throw tooManyRequests(
        `You have ${most === 1 ? 'a picture' : `${most} pictures`} under way already. Wait for one of them.`,
        RETRY_SECONDS,
      )
    const named = jobId === null ? null : { userId, name: jobId }
    if (named !== null && this.#named.has(named))
      throw badRequest('A call with this job_id is already in progress.')
    const ending = new AbortController()
    if (named !== null) this.#named.begin(named, () => ending.abort(stopped()))
    this.#add(userId, ending)
    const seconds = this.#settings.get('IMAGE_TIMEOUT')
    const timer = setTimeout(
      () =>
        ending.abort(
          badRequest(
            `The picture was not there within ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
            {
              code: 'timed_out',
            },
          ),
        ),
      seconds * 1000,
    )
    const onLeave = (): void => ending.abort(stopped())
    if (signal.aborted) onLeave()
    signal.addEventListener('abort', onLeave)
    try {
      ending.signal.throwIfAborted()
      return await work(ending.signal)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onLeave)
      if (named !== null) this.#named.end(named)
      this.#remove(userId, ending)
    }
  }

  /** Throws 404 if no call of that name is running. */
  stop(userId: string, jobId: string): void {
    if (!this.#named.stop({ userId, name: jobId }))
      throw notFound('No call with this job_id is in progress.')
  }

  /** Stops all calls of a user. */
  stopAll(userId: string): void {
    for (const ending of this.#endings.get(userId) ?? []) ending.abort(stopped())
  }

  #add(userId: string, ending: AbortController): void {
    const endings = this.#endings.get(userId)
    if (endings) endings.add(ending)
    else this.#endings.set(userId, new Set([ending]))
  }

  #remove(userId: string, ending: AbortController): void {
    const endings = this.#endings.get(userId)
    endings?.delete(ending)
    if (endings?.size === 0) this.#endings.delete(userId)
  }
}
