import { expect, it } from 'vitest'
import type { CodeResult, CodeState } from '#contract/code.ts'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

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

/** Opens a background window, which answers every call with the code it received. */
async function openWindow(server: TestServer, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  await new Promise((resolve) => void socket.once('message', resolve))
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString()) as {
      type: string
      call_id: string
      data: { type: string; data: { code: string; timeout: number } }
    }
    if (frame.type !== 'call') return
    const result = { status: 'ok', stdout: `${frame.data.type}: ${frame.data.data.code}` }
    socket.send(JSON.stringify({ type: 'call:result', call_id: frame.call_id, result }))
  })
  return socket
}

it('where the gateway runs none, code of a script runs in a window of the person, however hidden', async () => {
  const server = await startTestServer({ environment: { CODE_ON_GATEWAY: 'never' } })
  try {
    const token = await server.signUp('Ada')
    const run = async (): Promise<CodeResult> => {
      const reply = await server.call('POST', '/api/v1/code/runs', { token, body: { code: '1' } })
      return (await reply.json()) as CodeResult
    }
    const socket = await openWindow(server, token)
    // A client that listens but is not a window.
    expect(await run()).toMatchObject({ status: 'failed', engine: 'gateway' })
    socket.send(JSON.stringify({ type: 'focus', focused: false }))
    await expect
      .poll(run)
      .toMatchObject({ status: 'ok', engine: 'window', stdout: 'execute:python: 1' })
    socket.terminate()
    await expect.poll(run).toMatchObject({
      status: 'failed',
      stderr: expect.stringContaining('No window of yours is open') as string,
    })
  } finally {
    await server.close()
  }
})

it('code runs in a process of the gateway without a fence where it is set so', async () => {
  const { result, state } = await runWith('always')
  expect(result).toMatchObject({ status: 'ok', result: '42', engine: 'gateway' })
  expect(state.gateway).toEqual({ available: true, fenced: false, sentence: null })
}, 60_000)

it('no code runs on the gateway where that is switched off, and a sentence says so', async () => {
  const { result, state } = await runWith('never')
  expect(result).toMatchObject({
    status: 'failed',
    stderr: expect.stringContaining('The gateway itself runs none (CODE_ON_GATEWAY)') as string,
  })
  expect(state.gateway.available).toBe(false)
  expect(result.stderr).toBe(
    `No window of yours is open that could run the code. ${state.gateway.sentence}`,
  )
})

it('code of a person who is to be approved again is ended, and its process with it', async () => {
  const server = await startTestServer({ environment: { CODE_ON_GATEWAY: 'always' } })
  try {
    const admin = await server.signUp('Ada')
    const account = { name: 'Grace', email: 'grace@example.com', password: 'correct horse battery' }
    const added = await server.call('POST', '/api/v1/auths/add', {
      token: admin,
      body: { ...account, role: 'user' },
    })
    const { id, token } = (await added.json()) as { id: string; token: string }
    const chat = await server.call('POST', '/api/v1/chats/new', {
      token,
      body: { chat: { title: 'Sums' } },
    })
    const { id: chatId } = (await chat.json()) as { id: string }
    const run = server.call('POST', '/api/v1/code/runs', {
      token,
      body: { code: 'while True: pass', chat_id: chatId },
    })
    const state = async (): Promise<string> => {
      const reply = await server.call('GET', `/api/v1/code?chat_id=${chatId}`, { token })
      return ((await reply.json()) as CodeState).process.state
    }
    await expect.poll(state, { timeout: 30_000 }).toBe('running')
    await server.context.users.update(id, { role: 'pending' })
    expect((await (await run).json()) as CodeResult).toMatchObject({ status: 'stopped' })
  } finally {
    await server.close()
  }
}, 60_000)
