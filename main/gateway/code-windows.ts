import { setPriority } from 'node:os'
import {
  app,
  MessageChannelMain,
  session,
  WebContentsView,
  type UtilityProcess,
  type WebContents,
} from 'electron'
import { z } from 'zod'
import { ipcChannels } from '#desktop'
import {
  FENCED_PAGE,
  secureCodeSession,
  secureContents,
  toCodeAddress,
} from '../security/security.ts'

/**
 * Request of the gateway: to open a window that runs code, or to close one. `id` is assigned by the
 * gateway, and `memory` is the maximum number of bytes of its process. `ready` states the URL of
 * the document.
 */
const requestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('code-window-start'),
    id: z.string().max(64),
    memory: z.int().positive(),
  }),
  z.object({ type: z.literal('code-window-stop'), id: z.string().max(64) }),
  z.object({ type: z.literal('ready'), url: z.url() }),
])

/** Reason a window is gone. */
type End = 'memory' | 'gone' | 'refused'

interface CodeWindow {
  /** Referenced here, since its page is destroyed when it is garbage collected. */
  readonly view: WebContentsView
  /** Index of its exclusive session. */
  readonly place: number
  readonly memory: number
  end: End
}

const MOST_WINDOWS = 64
const LOOK_MILLISECONDS = 250
const KIBIBYTE = 1024
/** Lower than everything else on the computer. */
const LOW_PRIORITY = 10

/**
 * Creates a page without a window: it appears on no screen, in no task bar and no window list, and
 * does not keep the app alive. Its process is sandboxed by the browser.
 */
function makeView(place: number, preload: string, address: string): WebContentsView {
  // Each has a separate in-memory session: no cookies, no sign-in, no shared process.
  const home = session.fromPartition(`code-${place}`)
  secureCodeSession(home, address)
  const view = new WebContentsView({
    webPreferences: {
      session: home,
      preload,
      ...FENCED_PAGE,
      spellcheck: false,
      webgl: false,
      devTools: false,
      backgroundThrottling: false,
    },
  })
  secureContents(view.webContents, {
    pageOrigin: () => null,
    onExternal: () => undefined,
    allowsDevTools: false,
  })
  return view
}

/**
 * Views in which the packaged app runs code while no window is open, since the app starts no
 * separate process for it. They belong to one run of the gateway and end with it. Their messages
 * reach the gateway through ports that bypass this process.
 */
class CodeWindows {
  readonly #gateway: UtilityProcess
  readonly #preload: string
  readonly #windows = new Map<string, CodeWindow>()
  #address: string | null = null
  #watch: NodeJS.Timeout | undefined

  constructor(gateway: UtilityProcess, preload: string) {
    this.#gateway = gateway
    this.#preload = preload
    gateway.on('message', (data: unknown) => {
      const request = requestSchema.safeParse(data).data
      if (request?.type === 'ready') this.#address = toCodeAddress(request.url)
      if (request?.type === 'code-window-start') this.#start(request.id, request.memory)
      if (request?.type === 'code-window-stop') this.#stop(request.id, 'gone')
    })
    gateway.once('exit', () => {
      for (const id of this.#windows.keys()) this.#stop(id, 'gone')
    })
  }

  #start(id: string, memory: number): void {
    const taken = new Set([...this.#windows.values()].map(({ place }) => place))
    const place = Array.from({ length: MOST_WINDOWS }, (_, index) => index).find(
      (index) => !taken.has(index),
    )
    // Without the sandbox, code would be confined only by its own runtime.
    const isFenced = !app.commandLine.hasSwitch('no-sandbox')
    if (this.#windows.has(id) || place === undefined || this.#address === null || !isFenced)
      return this.#tellEnd(id, 'refused')
    const view = makeView(place, this.#preload, this.#address)
    const contents = view.webContents
    this.#windows.set(id, { view, place, memory, end: 'gone' })
    this.#watch ??= setInterval(() => this.#checkMemory(), LOOK_MILLISECONDS).unref()
    contents.once('render-process-gone', () => contents.close())
    contents.once('destroyed', () => this.#forget(id))
    contents.loadURL(this.#address).then(
      () => this.#connect(id, contents),
      () => this.#stop(id, 'refused'),
    )
  }

  #connect(id: string, contents: WebContents): void {
    if (contents.isDestroyed()) return
    try {
      setPriority(contents.getOSProcessId(), LOW_PRIORITY)
    } catch {
      // Some systems do not permit it; the code then runs at normal priority.
    }
    const { port1, port2 } = new MessageChannelMain()
    contents.postMessage(ipcChannels.codeLine, null, [port1])
    this.#gateway.postMessage({ type: 'code-window-line', id }, [port2])
  }

  /** Kills the process of a window, regardless of what it is doing. */
  #stop(id: string, end: End): void {
    const found = this.#windows.get(id)
    if (!found) return
    found.end = end
    found.view.webContents.forcefullyCrashRenderer()
    found.view.webContents.close()
  }

  #forget(id: string): void {
    const end = this.#windows.get(id)?.end ?? 'gone'
    this.#windows.delete(id)
    if (this.#windows.size === 0) {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
    this.#tellEnd(id, end)
  }

  /** Python's own memory limit applies first; this catches what bypasses it. */
  #checkMemory(): void {
    const taken = new Map(
      app.getAppMetrics().map(({ pid, memory }) => [pid, memory.workingSetSize * KIBIBYTE]),
    )
    for (const [id, { view, memory }] of this.#windows)
      if ((taken.get(view.webContents.getOSProcessId()) ?? 0) > memory) this.#stop(id, 'memory')
  }

  #tellEnd(id: string, end: End): void {
    if (this.#gateway.pid !== undefined)
      this.#gateway.postMessage({ type: 'code-window-ended', id, end })
  }
}

/** Opens code windows on request of the packaged gateway. */
export function serveCodeWindows(gateway: UtilityProcess, preload: string): void {
  // It lives as long as the gateway it listens to.
  // oxlint-disable-next-line no-new
  new CodeWindows(gateway, preload)
}
