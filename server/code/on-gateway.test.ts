import { expect, it } from 'vitest'
import type { CodeResult, CodeState } from '#contract/code.ts'
import { startTestServer } from '../testing/start-server.ts'

async function runWith(where: string): Promise<{ result: CodeResult; state: CodeState }> {
  const server = await startTestServer({ environment: { CODE_ON_GATEWAY: where } })
  try {
    const token = await server.signUp('Ada')
    const reply = await server.call('POST', '/api/v1/code/runs', { token, body: { code: '6 * 7' } })
    const state = await server.call('GET', '/api/v1/code', { token })
    return { result: (await reply.json()) as CodeResult, state: (await state.json()) as CodeState }
  } finally {
    await server.close()
  }
}

it('code runs in a process of the gateway without a fence where it is set so', async () => {
  const { result, state } = await runWith('always')
  expect(result).toMatchObject({ status: 'ok', result: '42', engine: 'gateway' })
  expect(state.gateway).toEqual({ available: true, fenced: false, sentence: null })
}, 60_000)

it('no code runs on the gateway where that is switched off, and a sentence says so', async () => {
  const { result, state } = await runWith('never')
  expect(result).toMatchObject({
    status: 'failed',
    stderr: expect.stringContaining('the gateway itself runs none (CODE_ON_GATEWAY)') as string,
  })
  expect(state.gateway).toMatchObject({ available: false, sentence: result.stderr })
})
