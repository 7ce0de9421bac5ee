import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasJupyter, startJupyter, type JupyterProcess } from '../../testing/start-jupyter.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const TOKEN = 'a-token-of-the-test'
const PASSWORD = 'a password of the test'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer({ environment: { CODE_EXECUTION_JUPYTER_TIMEOUT: '30' } })
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

type Fields = Record<string, unknown>
const call = async (method: string, path: string, body?: unknown) => {
  const reply = await server.call(method, path, { token, ...(body !== undefined && { body }) })
  return { status: reply.status, body: (await reply.json()) as Fields }
}
const execute = (code: string) => call('POST', '/api/v1/utils/code/execute', { code })
const CONFIG = '/api/v1/configs/code_execution'

async function configure(changes: Fields): Promise<void> {
  const { body } = await call('GET', CONFIG)
  expect(Object.keys(body)).toHaveLength(15)
  expect((await call('POST', CONFIG, { ...body, ...changes })).status).toBe(200)
}

describe('The settings of code', () => {
  it('are fifteen, all needed; what is secret is told to nobody and kept where it is left empty', async () => {
    expect((await call('GET', CONFIG)).body).toMatchObject({
      CODE_EXECUTION_ENGINE: 'pyodide',
      CODE_EXECUTION_JUPYTER_TIMEOUT: 30,
      ENABLE_CODE_INTERPRETER: true,
    })
    expect((await call('POST', CONFIG, { ENABLE_CODE_EXECUTION: true })).status).toBe(422)
    await configure({
      CODE_EXECUTION_JUPYTER_AUTH_TOKEN: 'kept',
      CODE_INTERPRETER_PROMPT_TEMPLATE: 'Be brief.',
    })
    await configure({ CODE_INTERPRETER_PROMPT_TEMPLATE: '' })
    expect((await call('GET', CONFIG)).body).toMatchObject({
      CODE_EXECUTION_JUPYTER_AUTH_TOKEN: '',
      CODE_INTERPRETER_PROMPT_TEMPLATE: expect.stringContaining('You can run Python') as string,
    })
    expect(server.context.settings.get('CODE_EXECUTION_JUPYTER_AUTH_TOKEN')).toBe('kept')
    const odd = await call('POST', CONFIG, {
      ...(await call('GET', CONFIG)).body,
      CODE_EXECUTION_ENGINE: 'abacus',
    })
    expect([odd.status, odd.body['detail']]).toEqual([
      400,
      expect.stringContaining('CODE_EXECUTION_ENGINE'),
    ])
  })

  it('say when nothing on a server runs code, and when it is switched off', async () => {
    expect((await execute('1')).status).toBe(400)
    await configure({ ENABLE_CODE_EXECUTION: false })
    expect(await execute('1')).toMatchObject({
      status: 403,
      body: { detail: 'Code execution is disabled' },
    })
    expect((await call('POST', '/api/v1/code/runs', { code: '1' })).status).toBe(403)
    await configure({ ENABLE_CODE_EXECUTION: true })
    // No sandbox is available here, and the setting that allows running without one is not set.
    expect((await call('POST', '/api/v1/code/runs', { code: '1' })).body).toMatchObject({
      status: 'failed',
      stderr: expect.stringContaining('cannot fence it in') as string,
    })
  })

  it('name a server that is not there: words in stderr, and status 200', async () => {
    await configure({
      CODE_EXECUTION_ENGINE: 'jupyter',
      CODE_EXECUTION_JUPYTER_URL: 'http://127.0.0.1:9',
    })
    const { status, body } = await execute('1')
    expect([status, body]).toEqual([
      200,
      {
        stdout: '',
        stderr: expect.stringMatching(/cannot be reached/) as string,
        result: '',
      },
    ])
  })
})

describe.skipIf(!hasJupyter)('A real Jupyter server', () => {
  let withToken: JupyterProcess
  let withPassword: JupyterProcess
  beforeAll(async () => {
    ;[withToken, withPassword] = await Promise.all([
      startJupyter({ token: TOKEN }),
      startJupyter({ password: PASSWORD }),
    ])
  }, 120_000)
  afterAll(() => Promise.all([withToken.close(), withPassword.close()]))

  const kernels = async (): Promise<unknown[]> =>
    (await (
      await fetch(`${withToken.url}/api/kernels`, { headers: { Authorization: `token ${TOKEN}` } })
    ).json()) as unknown[]

  it(
    'runs code for a token: output, value, picture, error; the kernel goes afterwards',
    { timeout: 90_000 },
    async () => {
      const auth = {
        CODE_EXECUTION_JUPYTER_AUTH: 'token',
        CODE_EXECUTION_JUPYTER_AUTH_TOKEN: TOKEN,
      }
      await configure({
        CODE_EXECUTION_ENGINE: 'jupyter',
        CODE_EXECUTION_JUPYTER_URL: `${withToken.url}/`,
        ...auth,
      })
      const code = `import sys
print("out"); print("err", file=sys.stderr)
from IPython.display import Image, display
import base64
display(Image(base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")))
6 * 7`
      const { status, body } = await execute(code)
      expect([status, body]).toEqual([
        200,
        {
          stdout: 'out\n',
          stderr: 'err',
          result: expect.stringMatching(/^42\ndata:image\/png;base64,iVBORw0KGgo/) as string,
        },
      ])
      const failed = (await call('POST', '/api/v1/code/runs', { code: 'x = 1\nx / 0' })).body
      expect(failed).toMatchObject({
        status: 'error',
        engine: 'jupyter',
        error: { name: 'ZeroDivisionError', message: 'division by zero', line: 2 },
      })
      expect(await kernels()).toEqual([])
    },
  )

  it(
    'keeps the variables of each chat in a kernel of its own until it is idle or let go',
    { timeout: 90_000 },
    async () => {
      const chat = async (): Promise<string> =>
        (await call('POST', '/api/v1/chats/new', { chat: { title: 'Sums' } })).body['id'] as string
      const [one, other] = [await chat(), await chat()]
      const runIn = async (chatId: string, code: string): Promise<Fields> =>
        (await call('POST', '/api/v1/code/runs', { code, chat_id: chatId })).body
      expect(await runIn(one, 'x = 41')).toMatchObject({ status: 'ok' })
      const both = await Promise.all([runIn(one, 'x += 1'), runIn(one, 'x'), runIn(other, 'x')])
      expect(both).toMatchObject([
        { status: 'ok' },
        { result: '42' },
        { error: { name: 'NameError' } },
      ])
      expect(await kernels()).toHaveLength(2)
      expect((await call('GET', `/api/v1/code?chat_id=${one}`)).body['process']).toEqual({
        state: 'idle',
        run_id: null,
      })
      // The Jupyter server has ended the kernel meanwhile.
      const [gone] = (await kernels()) as { id: string }[]
      await fetch(`${withToken.url}/api/kernels/${gone!.id}`, {
        method: 'DELETE',
        headers: { Authorization: `token ${TOKEN}` },
      })
      expect(await runIn(one, '1')).toMatchObject({ status: 'ok', result: '1' })
      expect(await runIn(other, '2')).toMatchObject({ status: 'ok', result: '2' })
      expect((await call('DELETE', `/api/v1/code?chat_id=${one}`)).body).toEqual({ status: true })
      expect(await kernels()).toHaveLength(1)
      await server.context.settings.update({ CODE_IDLE_TIMEOUT: 1 })
      await expect.poll(kernels, { timeout: 10_000 }).toEqual([])
      await server.context.settings.update({ CODE_IDLE_TIMEOUT: 600 })
    },
  )

  it('is let go in time, and its refusals are words', { timeout: 90_000 }, async () => {
    await configure({ CODE_EXECUTION_JUPYTER_TIMEOUT: 4 })
    expect(
      (await execute('import time\nprint("begun", flush=True)\ntime.sleep(60)')).body,
    ).toMatchObject({
      stderr: expect.stringContaining('time limit of 4 seconds') as string,
    })
    expect(await kernels()).toEqual([])
    await configure({
      CODE_EXECUTION_JUPYTER_TIMEOUT: 30,
      CODE_EXECUTION_JUPYTER_AUTH_TOKEN: 'another',
    })
    expect((await execute('1')).body['stderr']).toContain('does not let the gateway in')
  })

  it('is signed in to by password', { timeout: 90_000 }, async () => {
    const auth = {
      CODE_EXECUTION_JUPYTER_AUTH: 'password',
      CODE_EXECUTION_JUPYTER_AUTH_PASSWORD: PASSWORD,
    }
    await configure({ CODE_EXECUTION_JUPYTER_URL: withPassword.url, ...auth })
    expect((await execute('print(6 * 7)')).body).toEqual({ stdout: '42\n', stderr: '', result: '' })
    await configure({ CODE_EXECUTION_JUPYTER_AUTH_PASSWORD: 'another' })
    expect((await execute('1')).body['stderr']).toBe(
      'The Jupyter server does not accept the password.',
    )
  })
})
