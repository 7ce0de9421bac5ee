import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchGateway } from './gateway.ts'

const PAUSE_MILLISECONDS = 20

/** Question that the other account repeats. */
export const QUESTION = {
  model: 'bench-text',
  stream: false,
  messages: [{ role: 'user', content: 'Hello' }],
}

export interface Member {
  readonly token: string
  call<Answer>(method: string, path: string, body: unknown): Promise<Answer>
}

/** Adds an ordinary account. */
export async function addMember(gateway: BenchGateway, name: string): Promise<Member> {
  const account = {
    name,
    email: `${name.toLowerCase()}@localhost.test`,
    password: 'bench-password-2',
    role: 'user',
  }
  const { token } = await gateway.call<{ token: string }>('POST', '/api/v1/auths/add', account)
  return {
    token,
    async call<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
      const isForm = body instanceof FormData
      const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(!isForm && { 'Content-Type': 'application/json' }),
        },
        body: isForm ? body : JSON.stringify(body),
      })
      if (!response.ok)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Answer
    },
  }
}

/** Repeats a call until `work` has ended, and returns how many milliseconds each call took. */
export async function timeCalls(
  work: Promise<unknown>,
  call: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const end = work.finally(() => (isOver = true))
  while (!isOver) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
    await sleep(PAUSE_MILLISECONDS)
  }
  await end
  return times
}
