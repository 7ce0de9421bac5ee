import type { OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import type { CodeSettings } from '../code-settings.ts'
import type { CellPlace } from '../runner/runners.ts'
import {
  endKernel,
  runOnJupyter,
  type JupyterOutcome,
  type JupyterRun,
  type OpenKernel,
} from './run-on-jupyter.ts'

/** The kernel of a chat. */
interface Slot extends CellPlace {
  kernel: OpenKernel | null
  lastUsed: number
  runId: string | null
  /** Settles when the previous runs have ended. */
  turn: Promise<unknown>
  waiting: number
}

export interface KernelsOptions {
  readonly outgoing: OutgoingFetch
  readonly settings: CodeSettings
}

const UPKEEP_MILLISECONDS = 1000

const keyOf = ({ userId, chatId }: CellPlace): string => JSON.stringify([userId, chatId])

/**
 * Kernels of chats on Jupyter servers: each keeps the variables of its chat until it was idle for
 * CODE_IDLE_TIMEOUT, and at most CODE_PROCESS_LIMIT are kept.
 */
export class Kernels {
  readonly #outgoing: KernelsOptions['outgoing']
  readonly #settings: KernelsOptions['settings']
  readonly #slots = new Map<string, Slot>()
  #upkeep: NodeJS.Timeout | null = null

  constructor({ outgoing, settings }: KernelsOptions) {
    this.#outgoing = outgoing
    this.#settings = settings
  }

  /**
   * Runs code in the kernel of its chat, one run after the other; without a chat in a dedicated
   * kernel.
   */
  async run(place: CellPlace, id: string, run: JupyterRun): Promise<JupyterOutcome> {
    if (place.chatId === null) {
      const held = { kernel: null }
      const outcome = await runOnJupyter(this.#outgoing, run, held)
      await this.#end(held)
      return outcome
    }
    const slot = this.#open(place)
    slot.waiting += 1
    const running = slot.turn.then(async () => {
      slot.runId = id
      return runOnJupyter(this.#outgoing, run, slot)
    })
    slot.turn = running.catch(() => undefined)
    try {
      return await running
    } finally {
      slot.waiting -= 1
      slot.runId = null
      slot.lastUsed = performance.now()
      // The slot was removed meanwhile.
      if (this.#slots.get(keyOf(place)) !== slot) await this.#end(slot)
      else if (slot.kernel === null && slot.waiting === 0) this.#slots.delete(keyOf(place))
    }
  }

  stateOf(place: CellPlace): { state: 'none' | 'idle' | 'running'; run_id: string | null } {
    const slot = this.#slots.get(keyOf(place))
    if (!slot || (slot.kernel === null && slot.runId === null))
      return { state: 'none', run_id: null }
    return { state: slot.runId === null ? 'idle' : 'running', run_id: slot.runId }
  }

  /**
   * Ends the kernel of a chat, immediately or after its current run; resolves with false if there
   * is none.
   */
  async forget(place: CellPlace): Promise<boolean> {
    const slot = this.#slots.get(keyOf(place))
    if (slot) await this.#retire(slot)
    return slot !== undefined
  }

  /** Ends the kernels of a user who may not run code any more. */
  expel(userId: string): void {
    for (const slot of this.#slots.values()) if (slot.userId === userId) void this.#retire(slot)
  }

  async close(): Promise<void> {
    if (this.#upkeep) clearInterval(this.#upkeep)
    await Promise.all([...this.#slots.values()].map((slot) => this.#retire(slot)))
  }

  #open(place: CellPlace): Slot {
    const known = this.#slots.get(keyOf(place))
    if (known) return known
    const most = this.#settings.get('CODE_PROCESS_LIMIT')
    const idle = [...this.#slots.values()].filter(({ waiting }) => waiting === 0)
    const [oldest] = idle.toSorted((one, other) => one.lastUsed - other.lastUsed)
    if (oldest && this.#slots.size >= most) void this.#retire(oldest)
    const slot: Slot = {
      ...place,
      kernel: null,
      lastUsed: performance.now(),
      runId: null,
      turn: Promise.resolve(),
      waiting: 0,
    }
    this.#slots.set(keyOf(place), slot)
    this.#upkeep ??= setInterval(() => this.#endIdle(), UPKEEP_MILLISECONDS).unref()
    return slot
  }

  #endIdle(): void {
    const longest = this.#settings.get('CODE_IDLE_TIMEOUT') * 1000
    for (const slot of this.#slots.values())
      if (slot.waiting === 0 && performance.now() - slot.lastUsed > longest) void this.#retire(slot)
  }

  async #retire(slot: Slot): Promise<void> {
    this.#slots.delete(keyOf(slot))
    if (slot.waiting === 0) await this.#end(slot)
  }

  async #end(held: { kernel: OpenKernel | null }): Promise<void> {
    const { kernel } = held
    held.kernel = null
    if (kernel) await endKernel(this.#outgoing, kernel)
  }
}
