import type { DesktopBridge } from '#desktop'
import type { CodeResult } from '../../server/contract/code.ts'
import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../../server/testing/fake-upstream/fake-server.ts'
import type { Script } from '../../server/testing/fake-upstream/script.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { expect, test, type DesktopApp } from './desktop-app.ts'

const PATIENT = 150_000

type Call = <Answer>(path: string, body?: unknown) => Promise<Answer>

/** Returns what calls as the person of the window, so that no window has to be open. */
async function signIn(app: DesktopApp): Promise<Call> {
  const { url } = app.gateway()
  const cookies = await app.page.context().cookies()
  const cookie = cookies.find(({ name }) => name.startsWith('token'))!
  const key = await app.page.evaluate(() => localStorage.getItem('session-key'))
  return async (path, body) => {
    const reply = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Requested-With': 'chat-gateway',
        Cookie: `${cookie.name}=${cookie.value}`,
        'X-Session-Key': key!,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENT),
    })
    expect(reply.status).toBe(200)
    return (await reply.json()) as never
  }
}

// Here the gateway makes nothing that runs code, so that only the window is left.
test.describe('without a place of the gateway', () => {
  test.use({ variables: { CODE_ON_GATEWAY: 'never' } })

  test('code of a script runs in the window while that is hidden in the tray', async ({ app }) => {
    test.setTimeout(PATIENT * 2)
    const call = await signIn(app)
    const run = (code: string): Promise<CodeResult> =>
      call('/api/v1/code/runs', { code, chat_id: 'local:script' })
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
    expect(await run('x = 41\nprint("drawn by nobody")\nx + 1')).toMatchObject({
      status: 'ok',
      engine: 'window',
      stdout: 'drawn by nobody\n',
      result: '42',
    })
    expect(await run('x')).toMatchObject({ result: '41' })
  })
})

interface StoredChat {
  readonly chat: {
    readonly history: {
      readonly currentId: string
      readonly messages: Readonly<
        Record<string, { readonly code_executions?: readonly { readonly outcome?: CodeResult }[] }>
      >
    }
  }
}

const DRAW = `import base64
class Picture:
    def _repr_png_(self):
        return base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
Picture()`
/** Long enough for the window to close meanwhile. */
const SLOW = 'import time\ntime.sleep(8)\nprint("slept")'

/** Calls for the codes of the question one after the other, then repeats all results. */
const interpret: Script = ({ messages, body }) => {
  const { content } = messages.findLast(({ role }) => role === 'user')!
  const results = messages.filter(({ role }) => role === 'tool').map((each) => each.content)
  if (!Array.isArray(body['tools']) || typeof content !== 'string' || !content.startsWith('['))
    return { steps: [{ kind: 'content', text: 'No code.' }] }
  const code = (JSON.parse(content) as string[])[results.length]
  return code === undefined
    ? { steps: [{ kind: 'content', text: results.join(' | ') }] }
    : {
        steps: [
          { kind: 'tool', name: 'execute_code', arguments: { code }, id: `c${results.length}` },
        ],
      }
}

async function connect(call: Call): Promise<FakeUpstream> {
  const upstream = await startFakeCompatible({ models: ['text'], script: interpret })
  await call('/openai/config/update', {
    ENABLE_OPENAI_API: true,
    OPENAI_API_BASE_URLS: [upstream.url],
    OPENAI_API_KEYS: ['key'],
    OPENAI_API_CONFIGS: {},
  })
  return upstream
}

async function closeAll({ electron, page }: DesktopApp): Promise<void> {
  await page.evaluate(() =>
    (window as unknown as { desktop: DesktopBridge }).desktop.request('shell.settings', {
      change: { staysInTray: true },
    }),
  )
  await electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await expect
    .poll(() =>
      electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().some((window) => window.isVisible()),
      ),
    )
    .toBe(false)
}

// The packed app has a hidden page of its own run code, others a process.
test.describe('with a place of the gateway', () => {
  test.use({ variables: { CODE_ON_GATEWAY: 'always' } })

  test('a call of the API has its code run while every window is closed, and the model goes on', async ({
    app,
  }) => {
    test.setTimeout(PATIENT * 2)
    const call = await signIn(app)
    const upstream = await connect(call)
    try {
      await closeAll(app)
      const answer = await call<{ choices: [{ message: { content: string } }] }>(
        '/api/chat/completions',
        {
          model: 'text',
          messages: [
            { role: 'user', content: JSON.stringify(['x = 6 * 7\nprint(x)', 'x / 0', DRAW]) },
          ],
          features: { code_interpreter: true },
        },
      )
      const [output, error, picture] = answer.choices[0].message.content.split(' | ')
      expect(output).toBe('42')
      expect(error).toContain('ZeroDivisionError')
      expect(picture).toContain('A picture was drawn')
    } finally {
      await upstream.close()
    }
  })

  test('a window that closes in the middle of a cell leaves it to the gateway', async ({ app }) => {
    test.setTimeout(PATIENT * 2)
    const call = await signIn(app)
    const upstream = await connect(call)
    try {
      const [second] = await Promise.all([
        app.electron.waitForEvent('window'),
        app.electron.evaluate(
          ({ Menu }) => void Menu.getApplicationMenu()!.getMenuItemById('newWindow')!.click(),
        ),
      ])
      await second.waitForURL(/^http/)
      const chat = new ChatPage(second, app.gateway().url)
      await chat.chooseModel('text')
      await second.getByRole('button', { name: 'Run code' }).click()
      await chat.send(JSON.stringify([SLOW]))
      await expect(second.getByText('Running Python…').first()).toBeVisible({ timeout: PATIENT })
      const id = new URL(second.url()).pathname.split('/').at(-1)!
      await second.close()
      const readRun = async (): Promise<unknown> => {
        const { chat: stored } = await call<StoredChat>(`/api/v1/chats/${id}`)
        const { currentId, messages } = stored.history
        return messages[currentId]!.code_executions?.[0]?.outcome
      }
      await expect
        .poll(readRun, { timeout: PATIENT })
        .toMatchObject({ engine: 'gateway', status: 'ok', stdout: 'slept\n' })
    } finally {
      await upstream.close()
    }
  })
})
