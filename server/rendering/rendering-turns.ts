import { badRequest, tooManyRequests, unavailable } from '../lib/errors.ts'

/** The caller of a task; the signal aborts when that caller disconnects. */
export interface RenderingCaller {
  readonly userId: string
  readonly signal: AbortSignal
}

interface Waiting {
  readonly userId: string
  readonly start: () => void
}

const MOST_AT_ONCE = 2
const MOST_WAITING = 20
/** Tasks of one account that run or wait; another account must always find a free place. */
const MOST_OF_ACCOUNT = 6
const RETRY_SECONDS = 5

/**
 * Limits the number of concurrent tasks; others wait, and too many waiting ones are refused.
 * Accounts without a running task come first, and a task whose caller disconnects leaves the queue.
 */
export class RenderingTurns {
  readonly #waiting: Waiting[] = []
  /** Accounts of the running tasks, one entry each. */
  readonly #running: string[] = []

  async run<Answer>(caller: RenderingCaller, work: () => Promise<Answer>): Promise<Answer> {
    const { userId } = caller
    this.#requirePlace(userId)
    if (this.#running.length >= MOST_AT_ONCE) await this.#wait(caller)
    else this.#running.push(userId)
    try {
      return await work()
    } finally {
      this.#running.splice(this.#running.indexOf(userId), 1)
      this.#startNext()
    }
  }

  #requirePlace(userId: string): void {
    const own =
      this.#running.filter((each) => each === userId).length +
      this.#waiting.filter((each) => each.userId === userId).length
    if (own >= MOST_OF_ACCOUNT)
      throw tooManyRequests(
        'Too many of your texts are being rendered. Wait for one of them.',
        RETRY_SECONDS,
      )
    if (this.#waiting.length >= MOST_WAITING)
      throw unavailable('Too many texts are being rendered. Try again in a moment.', {
        code: 'busy',
      })
  }

  #wait({ userId, signal }: RenderingCaller): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(badRequest('The call was ended.', { code: 'stopped' }))
      }
      const waiting: Waiting = {
        userId,
        start: () => {
          signal.removeEventListener('abort', leave)
          this.#running.push(userId)
          resolve()
        },
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
  }

  #startNext(): void {
    const free = this.#waiting.findIndex(({ userId }) => !this.#running.includes(userId))
    const [next] = this.#waiting.splice(Math.max(0, free), 1)
    next?.start()
  }
}
