import type { AnswerRequest } from './answer-requests.ts'
import type { PluginFailure } from './faults.ts'
import type { Message } from './frames.ts'

/** Number of items of a generator a worker sends before it waits for further credit. */
export const ITEM_CREDIT = 64

/** Listeners for the output of a running call. */
export interface CallListeners {
  onEvent?(event: unknown): void
  onLog?(log: {
    readonly stream: string
    readonly level: string | null
    readonly lines: readonly string[]
  }): void
  onNotice?(notice: Message): void
  onOpen?(head: Message): void
  /** Called when a stream hook failed on a chunk, which was omitted. */
  onChunkFailed?(error: PluginFailure): void
  /** Receives items of a generator; resolves when more can be accepted. */
  onItems?(items: readonly unknown[]): void | Promise<void>
  readonly request: AnswerRequest
  /** For calls that run several plugins: the listeners of each by its id. */
  readonly members?: ReadonlyMap<string, CallListeners>
}

/** Result of a call. */
export interface CallResult {
  readonly value: unknown
  readonly changes: Readonly<Record<string, unknown>>
}

export interface OpenCall {
  /** Label of the plugin, its store and id. */
  readonly plugin: string
  readonly listeners: CallListeners
  /** Receives chunks of a stream session. */
  onChunks?(message: Message): void
  settle(outcome: CallResult | Error): void
}

/** Workers identify the plugin of a call only by its id. */
const idOf = (label: string): string => label.slice(label.indexOf(':') + 1)

export class CallBook {
  readonly #onUse: () => void
  readonly #onEnded: (id: number) => void
  readonly #calls = new Map<number, OpenCall>()
  #lastId = 0

  constructor({ onUse, onEnded }: { onUse: () => void; onEnded: (id: number) => void }) {
    this.#onUse = onUse
    this.#onEnded = onEnded
  }

  get(id: unknown): OpenCall | undefined {
    return this.#calls.get(Number(id))
  }

  /**
   * Returns the listeners of one plugin of an open call; null for an ended call, or a plugin that
   * does not belong to the call.
   */
  listenersOf(id: unknown, plugin: unknown): CallListeners | null {
    const open = this.#calls.get(Number(id))
    if (!open) return null
    const { members } = open.listeners
    if (members) return members.get(String(plugin)) ?? null
    return idOf(open.plugin) === plugin ? open.listeners : null
  }

  all(): OpenCall[] {
    return [...this.#calls.values()]
  }

  running(): string[] {
    return [...new Set([...this.#calls.values()].map(({ plugin }) => plugin))]
  }

  add(
    plugin: string,
    listeners: CallListeners,
    settle: OpenCall['settle'],
  ): { id: number; entry: OpenCall } {
    const id = (this.#lastId += 1)
    this.#onUse()
    const entry: OpenCall = {
      plugin,
      listeners,
      settle: (outcome) => {
        if (!this.#calls.delete(id)) return
        this.#onEnded(id)
        this.#onUse()
        settle(outcome)
      },
    }
    this.#calls.set(id, entry)
    return { id, entry }
  }
}
