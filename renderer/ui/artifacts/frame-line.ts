import {
  type ArtifactMessage,
  type ArtifactProblem,
  type PingArtifact,
  parseArtifactMessage,
  type ShowArtifact,
} from './artifact-protocol.ts'
import { loadComponentRuntime } from './component-runtime.ts'

/**
 * Reason a page was stopped without the user's request: it navigated away, or it flooded the page
 * with messages.
 */
export type FrameEnd = 'left' | 'busy'

export interface FrameHearer {
  readonly onShown: () => void
  readonly onProblem: (problem: ArtifactProblem) => void
  /** Called with true when the page has not responded recently. */
  readonly onSilent: (isSilent: boolean) => void
  readonly onEnd: (reason: FrameEnd) => void
  /** Called when the runtime of a component could not be loaded. */
  readonly onFailed: (thrown: unknown) => void
}

const MOST_MESSAGES = 200
const PING_MILLISECONDS = 2_000
const SILENT_AFTER = 2

/**
 * Message channel to the frame of one artifact. Its messages are untrusted: they are accepted only
 * from this frame, in a known form, and not more than a page needs.
 */
export class FrameLine {
  readonly #frame: HTMLIFrameElement
  readonly #order: Omit<ShowArtifact, 'type' | 'runtime'>
  readonly #hearer: FrameHearer
  readonly #timer: ReturnType<typeof setInterval>
  #isReady = false
  #unanswered = 0
  #heard = 0
  #since = 0

  constructor(
    frame: HTMLIFrameElement,
    order: Omit<ShowArtifact, 'type' | 'runtime'>,
    hearer: FrameHearer,
  ) {
    this.#frame = frame
    this.#order = order
    this.#hearer = hearer
    window.addEventListener('message', this.#receive)
    this.#timer = setInterval(() => this.#ping(), PING_MILLISECONDS)
  }

  close(): void {
    window.removeEventListener('message', this.#receive)
    clearInterval(this.#timer)
  }

  readonly #receive = ({ source, data }: MessageEvent): void => {
    if (source === null || source !== this.#frame.contentWindow) return
    if (this.#isFlood()) return this.#end('busy')
    const message = parseArtifactMessage(data)
    if (message) this.#hear(message)
  }

  #hear(message: ArtifactMessage): void {
    if (message.type === 'ready') {
      // The frame's document loads once; a second load means it navigated away.
      if (this.#isReady) return this.#end('left')
      this.#isReady = true
      void this.#show()
    } else if (message.type === 'shown') this.#hearer.onShown()
    else if (message.type === 'problem') this.#hearer.onProblem(message)
    this.#unanswered = 0
    this.#hearer.onSilent(false)
  }

  async #show(): Promise<void> {
    try {
      const runtime = this.#order.kind === 'react' ? await loadComponentRuntime() : ''
      this.#post({ type: 'show', ...this.#order, runtime })
    } catch (thrown) {
      this.#hearer.onFailed(thrown)
    }
  }

  #isFlood(): boolean {
    const now = performance.now()
    if (now - this.#since > 1000) {
      this.#since = now
      this.#heard = 0
    }
    this.#heard += 1
    return this.#heard > MOST_MESSAGES
  }

  #ping(): void {
    // Timers of a hidden page are throttled.
    if (!this.#isReady || document.visibilityState === 'hidden') return
    if (this.#unanswered >= SILENT_AFTER) this.#hearer.onSilent(true)
    this.#unanswered += 1
    this.#post({ type: 'ping' })
  }

  #post(message: ShowArtifact | PingArtifact): void {
    // The frame has an opaque origin, which cannot be named.
    this.#frame.contentWindow?.postMessage(message, '*')
  }

  #end(reason: FrameEnd): void {
    this.close()
    this.#hearer.onEnd(reason)
  }
}
