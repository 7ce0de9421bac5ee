import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Reachable } from './start-replicas.ts'

/** Same number of attempts as the client libraries. */
const MOST_TRIES = 3
const PAUSE_MILLISECONDS = 500
const isTriedAgain = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500

interface Outcome {
  readonly calls: number
  /** Attempts that were refused or cut off, and repeated. */
  readonly retried: number
  /** Calls that failed despite the retries. */
  readonly failed: readonly string[]
  /** Ids of items that were reported as stored, but are missing. */
  readonly lost: readonly string[]
}

/** Makes a call with the retries of client libraries; resolves with its status and text. */
async function tryAgain(
  ask: () => Promise<Response>,
  onRetry: () => void,
): Promise<{ status: number; text: string }> {
  for (let tries = 1; ; tries += 1) {
    let problem: unknown
    let pause = PAUSE_MILLISECONDS * 2 ** (tries - 1)
    try {
      const response = await ask()
      if (!isTriedAgain(response.status))
        return { status: response.status, text: await response.text() }
      problem = `${response.status} ${await response.text()}`
      const wanted = Number(response.headers.get('retry-after'))
      if (wanted > 0) pause = wanted * 1000
    } catch (error) {
      // No library repeats the request of a stream that has started.
      if (error instanceof TypeError && error.message === 'terminated') throw error
      problem = error
    }
    if (tries === MOST_TRIES) throw new Error(`Given up: ${String(problem)}`)
    onRetry()
    await sleep(pause)
  }
}

/** Runs reads, writes and short streams of several concurrent callers until ended. */
export function runLoad({ url }: Reachable, token: string, callers = 4) {
  const counted = { calls: 0, retried: 0 }
  const failed: string[] = []
  const stored: string[] = []
  let isOver = false
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const send = (method: string, target: string, body?: unknown): Promise<Response> =>
    fetch(url + target, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  async function make(name: string, work: () => Promise<void>): Promise<void> {
    while (!isOver) {
      counted.calls += 1
      try {
        await work()
      } catch (error) {
        failed.push(`${name}: ${String(error)}`)
      }
      await sleep(20)
    }
  }
  const onRetry = (): void => void (counted.retried += 1)
  const read = async (): Promise<void> => {
    const { status } = await tryAgain(() => send('GET', '/api/v1/auths/'), onRetry)
    if (status !== 200) throw new Error(`answered ${status}`)
  }
  const write = async (): Promise<void> => {
    const memory = { content: `What is kept ${Math.random()}` }
    const reply = await tryAgain(() => send('POST', '/api/v1/memories/add', memory), onRetry)
    if (reply.status !== 200) throw new Error(`answered ${reply.status} ${reply.text}`)
    stored.push((JSON.parse(reply.text) as { id: string }).id)
  }
  const stream = async (): Promise<void> => {
    const messages = [{ role: 'user', content: 'Say 20 pieces every 30' }]
    const body = { model: 'cloud-1', stream: true, messages }
    const { status, text } = await tryAgain(
      () => send('POST', '/api/chat/completions', body),
      onRetry,
    )
    if (status !== 200 || !text.includes('piece 19') || !text.includes('[DONE]'))
      throw new Error(`answered ${status} ${text.slice(-300)}`)
  }
  const running = Array.from({ length: callers }, () => [
    make('read', read),
    make('write', write),
    make('stream', stream),
  ]).flat()
  return {
    async end(): Promise<Outcome> {
      isOver = true
      await Promise.all(running)
      const { body } = await call({ url }, token, ['GET', '/api/v1/memories/'])
      const kept = new Set((body as { id: string }[]).map(({ id }) => id))
      return { ...counted, failed, lost: stored.filter((id) => !kept.has(id)) }
    },
  }
}
