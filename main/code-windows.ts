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
import { FENCED_PAGE, secureCodeSession, secureContents, toCodeAddress } from './security.ts'

/**
 * What the gateway asks: a window that runs code, or the end of one. `id` is the gateway's own, and
 * `memory` is how many bytes its process may take. `ready` says where the gateway serves the
 * document.
 */
const requestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('code-window-start'),
    id: z.string().max(64),
    memory: z.number().int().positive(),
  }),
  z.object({ type: z.literal('code-window-stop'), id: z.string().max(64) }),
  z.object({ type: z.literal('ready'), url: z.url() }),
])

/** Why a window is gone. */
type End = 'memory' | 'gone' | 'refused'

interface CodeWindow {
  /** Held, as it takes its page along when nobody does. */
  readonly view: WebContentsView
  /** Which of the sessions it has to itself. */
  readonly place: number
  readonly memory: number
  end: End
}

const MOST_WINDOWS = 64
const LOOK_MILLISECONDS = 250
const KIBIBYTE = 1024
/** Behind everything else the computer does. */
const LOW_PRIORITY = 10

/**
 * A page that no window holds: it is on no screen, in no task bar and no list of windows, and does
 * not keep the app from ending. Its process is the sandbox of the browser.
 */
function makeView(place: number, preload: string, address: string): WebContentsView {
  // Each has a session of its own, kept in memory: no cookie, no sign-in, no process with others.
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
 * The windows in which the packed app runs code while nobody has one open, as its program starts no
 * process for it. They belong to one life of the gateway and end with it. What they say goes to the
 * gateway by lines that do not lead through this process.
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
    // Without it code would be held by nothing but its own runtime.
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
      // Some systems let nobody; the code then runs as fast as everything else.
    }
    const { port1, port2 } = new MessageChannelMain()
    contents.postMessage(ipcChannels.codeLine, null, [port1])
    this.#gateway.postMessage({ type: 'code-window-line', id }, [port2])
  }

  /** Ends the process of a window, whatever it is doing. */
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

  /** Python is refused memory by itself; this is for what gets around that. */
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

/** Makes windows that run code whenever the packed gateway asks for one. */
export function serveCodeWindows(gateway: UtilityProcess, preload: string): void {
  // It lives as long as the gateway it listens to.
  // oxlint-disable-next-line no-new
  new CodeWindows(gateway, preload)
}
