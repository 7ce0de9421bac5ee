import type { Logger } from '../../lib/logger.ts'
import type { Live } from '../../live/index.ts'
import type { JobStore } from '../store.ts'

/** Operations of the local queue that another gateway may trigger. */
interface QueueHere {
  /** Reports that jobs may be waiting. */
  readonly wake: () => Promise<void>
  readonly ended: (fileId: string) => void
  readonly cancel: (fileId: string) => void
}

type Said =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ended' | 'cancelled'; readonly id: string }

const TOPIC = 'files'
/** Interval for checking for jobs, because messages may be lost. */
const LOOK_MILLISECONDS = 3000

/**
 * The other gateways that read files: each job is marked with the gateway processing it (`reader`),
 * so that only one takes it, and jobs of a gateway that is gone are taken over by others.
 */
export class OtherReaders {
  readonly #live: Live
  readonly #jobs: JobStore
  readonly #log: Logger
  #looking: NodeJS.Timeout | undefined
  #here: QueueHere | undefined

  constructor(live: Live, jobs: JobStore, log: Logger) {
    this.#live = live
    this.#jobs = jobs
    this.#log = log
    live.replicas.onTakeOver((gone) => jobs.freeOf(gone))
    live.replicas.onGone(() => this.#wake())
  }

  get self(): string {
    return this.#live.self
  }

  follow(here: QueueHere): void {
    this.#here = here
  }

  /** Starts listening to the other gateways, and releases jobs of gateways that are gone. */
  async open(): Promise<void> {
    await this.#jobs.freeAbandoned(this.#live.replicas.present)
    await this.#live.line.hear(TOPIC, (said) => this.#hear(said as Said))
    this.#looking = setInterval(() => this.#wake(), LOOK_MILLISECONDS).unref()
  }

  close(): void {
    clearInterval(this.#looking)
    this.#live.line.stopHearing(TOPIC)
  }

  /** Notifies the others that there are more jobs than this gateway can take. */
  tellWaiting(): void {
    this.#tell({ kind: 'waiting' })
  }

  tellEnded(id: string): void {
    this.#tell({ kind: 'ended', id })
  }

  tellCancelled(id: string): void {
    this.#tell({ kind: 'cancelled', id })
  }

  #tell(said: Said): void {
    this.#live.line.tell(TOPIC, said)
  }

  #hear(said: Said): void {
    if (said.kind === 'waiting') this.#wake()
    else if (said.kind === 'ended') this.#here?.ended(said.id)
    else this.#here?.cancel(said.id)
  }

  #wake(): void {
    this.#here?.wake().catch((error: unknown) => {
      this.#log.warn({ error }, 'waiting files could not be read')
    })
  }
}
