import type { ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { RelayCall, ResponsesUpstream } from '../provider.ts'
import { isUntypedError } from '../upstream/reported-fault.ts'
import { readFaultBody } from '../../lib/outgoing/read-fault.ts'
import { isSuccess, requireReadable, type Upstream } from '../upstream/upstream.ts'
import { toStatusFault } from '../upstream/upstream-faults.ts'
import type { Verdict } from './guard-frames.ts'
import { relayReply } from './relay.ts'
import type { RelayedFormat } from './relayed-format.ts'

const PATH = '/responses'
const ENDINGS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/**
 * Time after which an upstream without this path is asked for it again, because it may have been
 * updated.
 */
const ASK_AGAIN_MILLISECONDS = 3_600_000

/**
 * Format for relaying one response. A response of the other kind is rejected: events of this format
 * are numbered and named by their author.
 */
function createFormat(): RelayedFormat {
  /** What the events so far say of the response; SDKs read an ending only under the same id. */
  let begun: Record<string, unknown> = { object: 'response', output: [] }
  let lastNumber = -1

  function judge(value: Record<string, unknown>): Verdict {
    const { type, response, sequence_number: number } = value
    if (isRecord(response)) begun = response
    if (typeof number === 'number') lastNumber = number
    if (ENDINGS.has(type)) return 'done'
    return type === 'error' || isUntypedError(value) ? 'failed' : 'open'
  }

  function toBrokenEnd({ message, code }: ServiceError): string {
    const response = { ...begun, status: 'failed', error: { code, message }, usage: null }
    const end = { type: 'response.failed', sequence_number: lastNumber + 1, response }
    return `event: response.failed\ndata: ${JSON.stringify(end)}\n\n`
  }

  return {
    path: PATH,
    mendDocument: (document) => (Array.isArray(document['output']) ? document : null),
    judging: () => judge,
    mend: (value) => value,
    // Each event has its own number, so events never repeat.
    textOf: () => null,
    toEnd: () => '',
    toBrokenEnd,
    toStream: () => null,
    toDocument: () => null,
  }
}

/** Code by which providers report a path they do not have. */
const NO_SUCH_PATH = 'unknown_url'

/**
 * Returns true if a status means that the path does not exist, rather than an error of the request,
 * which has a code of its own.
 */
function isMissing(status: number, body: string): boolean {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  try {
    const value: unknown = JSON.parse(body)
    const code = isRecord(value) && isRecord(value['error']) ? value['error']['code'] : null
    return typeof code !== 'string' || code === NO_SUCH_PATH
  } catch {
    return true
  }
}

/**
 * Responses API of a chat completions upstream; whether the upstream has one is unknown until it is
 * asked.
 */
export class CompatibleResponses implements ResponsesUpstream {
  readonly #upstream: Upstream
  #askAgainAt = 0

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  isWorthAsking(): boolean {
    return performance.now() >= this.#askAgainAt
  }

  async relay(call: RelayCall): Promise<boolean> {
    const { faults } = this.#upstream
    const request = {
      method: 'POST',
      path: PATH,
      body: call.body,
      isWhole: call.stream !== true,
      notes: call.notes,
    } as const
    const reply = await this.#upstream.pass(request, call.signal)
    if (!isSuccess(reply)) {
      const body = (await readFaultBody(reply)).toString('utf8')
      if (!isMissing(reply.status, body))
        throw toStatusFault({ status: reply.status, headers: reply.headers, body }, faults)
      this.#askAgainAt = performance.now() + ASK_AGAIN_MILLISECONDS
      return false
    }
    await relayReply(requireReadable(reply, faults), call, { faults, format: createFormat() })
    return true
  }
}
