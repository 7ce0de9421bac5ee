import type { CodeResult } from '../../server/contract/code.ts'
import { expect, test } from './desktop-app.ts'

const PATIENT = 150_000

// As in the packed app, whose gateway starts no process for code.
test.use({ variables: { CODE_ON_GATEWAY: 'never' } })

test('code of a script runs in the window while that is hidden in the tray', async ({ app }) => {
  test.setTimeout(PATIENT * 2)
  const { url } = app.gateway()
  const cookies = await app.page.context().cookies()
  const cookie = cookies.find(({ name }) => name.startsWith('token'))!
  const key = await app.page.evaluate(() => localStorage.getItem('session-key'))
  const run = async (code: string): Promise<CodeResult> => {
    const reply = await fetch(`${url}/api/v1/code/runs`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: `${cookie.name}=${cookie.value}`,
        'X-Session-Key': key!,
      },
      body: JSON.stringify({ code, chat_id: 'local:script' }),
      signal: AbortSignal.timeout(PATIENT),
    })
    expect(reply.status).toBe(200)
    return (await reply.json()) as CodeResult
  }
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
  expect(await run('x = 41\nprint("drawn by nobody")\nx + 1')).toMatchObject({
    status: 'ok',
    engine: 'window',
    stdout: 'drawn by nobody\n',
    result: '42',
  })
  expect(await run('x')).toMatchObject({ result: '41' })
})
