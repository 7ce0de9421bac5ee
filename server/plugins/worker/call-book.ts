import type { AnswerRequest } from './answer-requests.ts'
import type { PluginFailure } from './faults.ts'
import type { Message } from './frames.ts'

/** What a running call tells. */
export interface CallListeners {
  onEvent?(event: unknown): void
  onLog?(log: { readonly stream: string; readonly level: string | null; readonly lines: readonly string[] }): void
  onNotice?(notice: Message): void
  onOpen?(head: Message): void
  /** A stream hook failed on a chunk, which was left out. */
  onChunkFailed?(error: PluginFailure): void
  /** Items of a generator; resolves when more can be taken. */
  onItems?(items: readonly unknown[]): void | Promise<void>
  readonly request: AnswerRequest
  /** Of calls that run several plugins, the listeners of each by its id. */
  readonly members?: ReadonlyMap<string, CallListeners>
}

/** What a call came to. */
export interface CallResult {
  readonly value: unknown
  readonly changes: Readonly<Record<string, unknown>>
}

export interface OpenCall {
  readonly plugin: string
  readonly listeners: CallListeners
  /** Chunks of a stream session. */
  onChunks?(message: Message): void
  settle(outcome: CallResult | Error): void
}

/** Calls that have ended and may have left a task behind which still speaks. */
const REMEMBERED_CALLS = 500

/** The calls of one worker. */
export type CallBook = ReturnType<typeof createCallBook>

export function createCallBook(onUse: () => void) {
  const calls = new Map<number, OpenCall>()
  const ended = new Map<number, CallListeners>()
  let lastId = 0
  return {
    get: (id: unknown): OpenCall | undefined => calls.get(Number(id)),
    /** Those of one plugin of a call, also of a call that is over. */
    listenersOf(id: unknown, plugin: unknown): CallListeners | null {
      const listeners = calls.get(Number(id))?.listeners ?? ended.get(Number(id)) ?? null
      return listeners?.members?.get(String(plugin)) ?? listeners
    },
    all: (): OpenCall[] => [...calls.values()],
    running: (): string[] => [...new Set([...calls.values()].map(({ plugin }) => plugin))],
    add(plugin: string, listeners: CallListeners, settle: OpenCall['settle']): { id: number; entry: OpenCall } {
      const id = (lastId += 1)
      onUse()
      const entry: OpenCall = {
        plugin,
        listeners,
        settle(outcome) {
          calls.delete(id)
          ended.set(id, listeners)
          if (ended.size > REMEMBERED_CALLS) ended.delete(ended.keys().next().value!)
          onUse()
          settle(outcome)
        },
      }
      calls.set(id, entry)
      return { id, entry }
    },
  }
}
