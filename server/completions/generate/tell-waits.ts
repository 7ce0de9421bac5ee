import type { Status } from '#contract/events.ts'
import type { CallWait } from '../../lib/outgoing/call-wait.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { Exchange } from '../exchange.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

/** Each line is stored with the message, so progress is reported only in these steps. */
const SHARE_TOLD = 0.1
const LEAST_MILLISECONDS = 500

const STEPS = {
  loading: { action: 'model_loading', description: 'Loading the model' },
  queued: { action: 'model_queued', description: 'Queued behind another question' },
} as const

/** Status lines of one call that say why its model has not started to answer. */
class ToldWaits {
  readonly #exchange: Pick<Exchange, 'tell'>
  #current: CallWait | null = null
  #toldAt = 0

  constructor(exchange: Pick<Exchange, 'tell'>) {
    this.#exchange = exchange
  }

  tell(wait: CallWait): void {
    if (this.#current?.reason !== wait.reason) this.end()
    else if (!this.#isWorthTelling(wait)) return
    this.#current = wait
    this.#toldAt = performance.now()
    const { action, description } = STEPS[wait.reason]
    const percent = wait.progress === null ? null : Math.round(wait.progress * 100)
    this.#say({
      action,
      description: percent === null ? `${description}…` : `${description}: ${percent}%…`,
      done: false,
      ...(percent !== null && { progress: { done: percent, total: 100 } }),
    })
  }

  end(): void {
    if (this.#current === null) return
    const { action, description } = STEPS[this.#current.reason]
    this.#current = null
    this.#say({ action, description: `${description}.`, done: true, hidden: true })
  }

  #isWorthTelling({ progress }: CallWait): boolean {
    const told = this.#current?.progress ?? 0
    const isFurther = progress !== null && progress >= told + SHARE_TOLD
    return isFurther && performance.now() - this.#toldAt >= LEAST_MILLISECONDS
  }

  #say(data: Status): void {
    this.#exchange.tell({ type: 'status', data })
  }
}

async function* endAtFirst(frames: Frames, waits: ToldWaits): Frames {
  try {
    for await (const frame of frames) {
      waits.end()
      yield frame
    }
  } finally {
    waits.end()
  }
}

/**
 * Reports in the status line of a stored answer that its model is being loaded or serves others;
 * the line ends with the first frame. Only runtimes report this.
 */
export function tellWaits(
  exchange: Exchange,
  open: (onWait?: (wait: CallWait) => void) => Frames,
): Frames {
  if (exchange.turn === null || exchange.resolved.provider.kind !== 'runtime') return open()
  const waits = new ToldWaits(exchange)
  return endAtFirst(
    open((wait) => waits.tell(wait)),
    waits,
  )
}
