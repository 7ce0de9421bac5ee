import type { AnswerRequest } from './answer-requests.ts'
import { Answers, type AnswerOfCall } from './answers.ts'
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
  /** Absent for calls outside of answers. */
  readonly answer?: AnswerOfCall
  /** Takes the place of these listeners when the call has ended, until its answer is over. */
  readonly afterwards?: CallListeners
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
  /** True if the worker is told when the answer of the call is over. */
  readonly isOfAnswer: boolean
  /** Receives chunks of a stream session. */
  onChunks?(message: Message): void
  settle(outcome: CallResult | Error): void
}

/** Workers identify the plugin of a call only by its id. */
const idOf = (label: string): string => label.slice(label.indexOf(':') + 1)

/** Returns the listeners of one plugin of a call; null if it does not belong to the call. */
function pick(
  { plugin: label, listeners }: Pick<OpenCall, 'plugin' | 'listeners'>,
  plugin: unknown,
): CallListeners | null {
  const { members } = listeners
  if (members) return members.get(String(plugin)) ?? null
  return idOf(label) === plugin ? listeners : null
}

interface CallBookOptions {
  readonly onUse: () => void
  /** `maySpeak` is true if the answer of the call is not over. */
  readonly onEnded: (id: number, maySpeak: boolean) => void
  /** Called when an answer is over, with its ended calls. */
  readonly onAnswerOver: (scope: string, calls: readonly number[]) => void
}

export class CallBook {
  readonly #onUse: CallBookOptions['onUse']
  readonly #onEnded: CallBookOptions['onEnded']
  readonly #calls = new Map<number, OpenCall>()
  readonly #answers: Answers<Pick<OpenCall, 'plugin' | 'listeners'>>
  #lastId = 0

  constructor({ onUse, onEnded, onAnswerOver }: CallBookOptions) {
    this.#onUse = onUse
    this.#onEnded = onEnded
    this.#answers = new Answers(onAnswerOver)
  }

  /** Returns true if events may still arrive. */
  get isInUse(): boolean {
    return this.#calls.size > 0 || this.#answers.areOpen
  }

  get(id: unknown): OpenCall | undefined {
    return this.#calls.get(Number(id))
  }

  /**
   * Returns the listeners of one plugin of a call; null for an ended call whose answer is over, or a
   * plugin that does not belong to the call.
   */
  listenersOf(id: unknown, plugin: unknown): CallListeners | null {
    const open = this.#calls.get(Number(id))
    if (open) return pick(open, plugin)
    const ended = this.#answers.find(Number(id))
    return (ended && pick(ended, plugin)?.afterwards) ?? null
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
    const { answer } = listeners
    this.#onUse()
    const entry: OpenCall = {
      plugin,
      listeners,
      isOfAnswer: answer !== undefined && this.#answers.open(answer),
      settle: (outcome) => {
        if (!this.#calls.delete(id)) return
        this.#onEnded(id, answer ? this.#answers.keep(answer, id, { plugin, listeners }) : false)
        this.#onUse()
        settle(outcome)
      },
    }
    this.#calls.set(id, entry)
    return { id, entry }
  }

  /** Settles all calls with a failure, because the worker is gone. */
  close(failure: PluginFailure): void {
    for (const open of this.all()) open.settle(failure)
    this.#answers.clear()
  }
}
