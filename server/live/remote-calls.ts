import { ServiceError, unavailable } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Live } from './live.ts'

/** Messages between the two gateways of a call. */
type Said<Question, Answer> =
  | { readonly kind: 'ask'; readonly id: string; readonly question: Question }
  | { readonly kind: 'working'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: string; readonly failure: Failure }

interface Failure {
  readonly status: number
  readonly detail: string
  readonly code: string
}

interface Asked<Answer> {
  readonly replica: string
  /** Time of the last sign that the other gateway is working. */
  heardAt: number
  readonly settle: (outcome: { answer: Answer } | { error: Error }) => void
}

/** Interval at which a question is repeated: Redis stores no message for a gateway that misses it. */
const REPEAT_MILLISECONDS = 1000
const SILENT_MILLISECONDS = 10_000
/** Time for which an outcome is repeated on request, longer than any caller waits in silence. */
const KEPT_MILLISECONDS = 60_000

const GONE = 'The gateway that has what is needed does not answer. Try again in a moment.'

function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError)
    return { status: error.status, detail: error.message, code: error.code }
  return { status: 500, detail: 'Internal Server Error', code: 'internal' }
}

/**
 * Calls to the gateway that holds what a request needs, such as a file. A question is repeated
 * until its answer arrives, and is executed once; it fails if the other gateway is silent for too
 * long.
 */
export class RemoteCalls<Question, Answer> {
  readonly #live: Live
  readonly #topic: string
  readonly #answer: (question: Question) => Promise<Answer>
  readonly #asked = new Map<string, Asked<Answer>>()
  /** Questions of other gateways: what to reply when one is repeated. */
  readonly #outcomes = new Map<string, Said<Question, Answer>>()

  constructor(live: Live, topic: string, answer: (question: Question) => Promise<Answer>) {
    this.#live = live
    this.#topic = topic
    this.#answer = answer
    live.replicas.onGone((replica) => {
      for (const asked of this.#asked.values())
        if (asked.replica === replica) asked.settle({ error: unavailable(GONE) })
    })
  }

  /** Starts receiving questions; must be awaited before the gateway serves requests. */
  async open(): Promise<void> {
    const { line, self } = this.#live
    await line.hear(this.#placeOf(self), (said, from) =>
      this.#hear(said as Said<Question, Answer>, from),
    )
  }

  /** Rejects with the error of the other gateway, or with 503 if it does not answer. */
  ask(replica: string, question: Question): Promise<Answer> {
    const id = newId()
    return new Promise((resolve, reject) => {
      const say = (): void => this.#tell(replica, { kind: 'ask', id, question })
      const timer = setInterval(() => {
        if (performance.now() - asked.heardAt < SILENT_MILLISECONDS) say()
        else asked.settle({ error: unavailable(GONE) })
      }, REPEAT_MILLISECONDS)
      const asked: Asked<Answer> = {
        replica,
        heardAt: performance.now(),
        settle: (outcome) => {
          clearInterval(timer)
          this.#asked.delete(id)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.answer)
        },
      }
      this.#asked.set(id, asked)
      say()
    })
  }

  #placeOf(replica: string): string {
    return `${this.#topic}:${replica}`
  }

  #tell(replica: string, said: Said<Question, Answer>): void {
    this.#live.line.tell(this.#placeOf(replica), said)
  }

  #hear(said: Said<Question, Answer>, from: string): void {
    if (said.kind === 'ask') return void this.#execute(said, from)
    const asked = this.#asked.get(said.id)
    if (asked?.replica !== from) return
    asked.heardAt = performance.now()
    if (said.kind === 'answer') asked.settle({ answer: said.answer })
    if (said.kind === 'failure') {
      const { status, detail, code } = said.failure
      asked.settle({ error: new ServiceError(status, detail, { code }) })
    }
  }

  async #execute(
    { id, question }: Extract<Said<Question, Answer>, { kind: 'ask' }>,
    from: string,
  ): Promise<void> {
    const key = `${from} ${id}`
    const known = this.#outcomes.get(key)
    if (known) return this.#tell(from, known)
    this.#outcomes.set(key, { kind: 'working', id })
    const outcome = await this.#answer(question).then(
      (answer): Said<Question, Answer> => ({ kind: 'answer', id, answer }),
      (error: unknown): Said<Question, Answer> => ({
        kind: 'failure',
        id,
        failure: toFailure(error),
      }),
    )
    this.#outcomes.set(key, outcome)
    this.#tell(from, outcome)
    setTimeout(() => this.#outcomes.delete(key), KEPT_MILLISECONDS).unref()
  }
}
