import { withBase } from '../../lib/base-path.ts'
import { translate } from '../../lib/i18n.ts'
import {
  type FrameReport,
  type FrameRequest,
  parseFrameReport,
  type RuntimeParts,
  type WorkerReport,
  type WorkerRequest,
} from '#contract/python-frame.ts'
import type { OnPart } from './load-runtime.ts'

type LoadParts = (onPart: OnPart) => Promise<RuntimeParts>
type Hear = (report: WorkerReport) => void

/** A frame with an opaque origin and without network access, whose workers run Python. */
export interface PythonFrame {
  /** Resolves when the runtime is loaded; later calls share the first one's load. */
  open(onPart: OnPart): Promise<void>
  send(session: string, request: WorkerRequest, hear: Hear): void
  /** Terminates a worker immediately, regardless of what it is doing. */
  end(session: string): void
}

const READY_MILLISECONDS = 20_000

function makeFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.hidden = true
  frame.title = translate('code.frame')
  frame.referrerPolicy = 'no-referrer'
  frame.src = withBase('/frames/python.html')
  return frame
}

class SandboxedFrame implements PythonFrame {
  readonly #load: LoadParts
  readonly #sessions = new Map<string, Hear>()
  readonly #parts = new Set<OnPart>()
  #frame: HTMLIFrameElement | null = null
  #opening: Promise<void> | null = null
  #onReport: (report: FrameReport) => void = () => undefined

  constructor(load: LoadParts) {
    this.#load = load
  }

  async open(onPart: OnPart): Promise<void> {
    this.#parts.add(onPart)
    try {
      this.#opening ??= this.#open()
      await this.#opening
    } catch (thrown) {
      this.#close()
      throw thrown
    } finally {
      this.#parts.delete(onPart)
    }
  }

  send(session: string, request: WorkerRequest, hear: Hear): void {
    this.#sessions.set(session, hear)
    this.#post({ type: 'to', session, request })
  }

  end(session: string): void {
    this.#sessions.delete(session)
    this.#post({ type: 'end', session })
  }

  async #open(): Promise<void> {
    const frame = makeFrame()
    this.#frame = frame
    window.addEventListener('message', this.#receive)
    const ready = this.#expect('ready')
    document.body.append(frame)
    const [parts] = await Promise.all([
      this.#load((part) => {
        for (const tell of this.#parts) tell(part)
      }),
      ready,
    ])
    const compiled = this.#expect('compiled')
    this.#post({ type: 'runtime', parts }, [parts.wasm, parts.library])
    await compiled
  }

  #expect(type: 'ready' | 'compiled'): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (message: string): void => {
        clearTimeout(timer)
        reject(new Error(message))
      }
      const timer = setTimeout(
        () => fail(translate('code.frameFailed')),
        READY_MILLISECONDS * (type === 'ready' ? 1 : 3),
      )
      this.#onReport = (report) => {
        if (report.type === 'broken') fail(report.message)
        if (report.type !== type) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  readonly #receive = ({ source, data }: MessageEvent): void => {
    if (!this.#frame || source !== this.#frame.contentWindow) return
    const report = parseFrameReport(data)
    if (report?.type === 'from') this.#sessions.get(report.session)?.(report.report)
    else if (report) this.#onReport(report)
  }

  #post(request: FrameRequest, transfer: Transferable[] = []): void {
    this.#frame?.contentWindow?.postMessage(request, '*', transfer)
  }

  #close(): void {
    window.removeEventListener('message', this.#receive)
    this.#frame?.remove()
    this.#frame = null
    this.#opening = null
    this.#sessions.clear()
  }
}

export const createPythonFrame = (load: LoadParts): PythonFrame => new SandboxedFrame(load)
