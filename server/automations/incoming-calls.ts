import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { conflict, notFound } from '../lib/errors.ts'
import { RateWindow } from '../lib/timing/rate-window.ts'
import { shareWindow } from '../live/index.ts'
import type { AutomationsDependencies } from './parts.ts'
import type { AutomationRuns } from './automation-runs.ts'
import type { AutomationStore } from './store.ts'

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compared with when there is no URL, so that the response takes equally long. */
const NOBODY = hashToken('')
const MOST_CALLS = 10

interface ReceiveParts extends Pick<AutomationsDependencies, 'auth' | 'live'> {
  readonly automations: AutomationStore
  readonly runner: AutomationRuns
}

const isEmpty = (body: unknown): boolean =>
  body === null || (typeof body === 'object' && Object.keys(body).length === 0)

/** Length from which JSON is not indented, because deep nesting would multiply it. */
const LONG_TEXT = 20_000

function toText(body: unknown): string {
  const indented = JSON.stringify(body, null, 2)
  return indented.length < LONG_TEXT ? indented : JSON.stringify(body)
}

/** Calls of clients that know the URL of an automation. */
export class IncomingCalls {
  readonly #parts: ReceiveParts
  readonly #calls = new RateWindow({ most: MOST_CALLS, seconds: 60 })
  readonly #misses = new RateWindow({ most: 60, seconds: 60 })

  constructor(parts: ReceiveParts) {
    this.#parts = parts
    shareWindow(parts.live, 'automation-calls', this.#calls)
    shareWindow(parts.live, 'automation-misses', this.#misses)
  }

  /**
   * Appends the received body to the prompt as text. An unknown automation, one without a URL and a
   * wrong secret get the same response.
   */
  async run(
    { automation_id, token }: { automation_id: string; token: string },
    body: unknown,
    request: IncomingMessage,
  ): Promise<{ success: true; run_id: string }> {
    const found = await this.#parts.automations.get(automation_id)
    const isRight = timingSafeEqual(
      Buffer.from(hashToken(token), 'hex'),
      Buffer.from(found?.token_hash ?? NOBODY, 'hex'),
    )
    if (!found?.token_hash || !isRight) {
      const address = this.#parts.auth.peers.limitSubject(request)
      this.#misses.require(
        address,
        'Too many calls of this kind came from your address. Wait a minute.',
      )
      this.#misses.count(address)
      throw notFound('There is no automation at this address.')
    }
    this.#calls.require(
      found.id,
      `This automation was called ${MOST_CALLS} times within a minute, as often as it may be. Wait a moment.`,
    )
    this.#calls.count(found.id)
    if (found.is_active === 0) throw conflict('The automation is paused.')
    const text = isEmpty(body) ? {} : { text: toText(body) }
    const run = await this.#parts.runner.begin(found, { cause: 'webhook', ...text })
    if (!run) throw conflict('It is running already. Try again when it has ended.')
    await this.#parts.automations.update(found.id, { token_used_at: Date.now() })
    return { success: true, run_id: run.id }
  }
}
