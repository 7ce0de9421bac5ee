import type { Lifetime } from '../../lib/lifetime.ts'

/** Answer that a call takes part in. */
export interface AnswerOfCall {
  /** Identifies the answer in the worker. */
  readonly scope: string
  readonly lifetime: Lifetime
}

/**
 * Answers in which calls of one worker take part, with the calls that have ended: plugins start
 * tasks that continue, and their events are accepted until the answer is over (PROTOCOL.md,
 * Answers).
 */
export class Answers<EndedCall> {
  readonly #onOver: (scope: string, calls: readonly number[]) => void
  readonly #calls = new Map<string, number[]>()
  readonly #ended = new Map<number, EndedCall>()

  constructor(onOver: (scope: string, calls: readonly number[]) => void) {
    this.#onOver = onOver
  }

  /** Returns true if some answer is not over. */
  get areOpen(): boolean {
    return this.#calls.size > 0
  }

  /** Must be called before a call of the answer begins. Returns false if the answer is over. */
  open({ scope, lifetime }: AnswerOfCall): boolean {
    if (lifetime.isOver) return false
    if (!this.#calls.has(scope)) {
      this.#calls.set(scope, [])
      lifetime.onOver(() => this.#end(scope))
    }
    return true
  }

  /** Keeps an ended call. Returns false if its answer is over. */
  keep({ scope }: AnswerOfCall, id: number, call: EndedCall): boolean {
    const calls = this.#calls.get(scope)
    if (!calls) return false
    calls.push(id)
    this.#ended.set(id, call)
    return true
  }

  find(id: number): EndedCall | undefined {
    return this.#ended.get(id)
  }

  /** Forgets everything, because the worker is gone. */
  clear(): void {
    this.#calls.clear()
    this.#ended.clear()
  }

  #end(scope: string): void {
    const calls = this.#calls.get(scope)
    if (!calls) return
    this.#calls.delete(scope)
    for (const id of calls) this.#ended.delete(id)
    this.#onOver(scope, calls)
  }
}
