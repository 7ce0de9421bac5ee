import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

let server: TestServer
let token: string
let warnings: Error[]
const keep = (warning: Error): number => warnings.push(warning)

beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
  warnings = []
  process.on('warning', keep)
})
afterAll(async () => {
  process.off('warning', keep)
  await server.close()
})

async function upload(content: string): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([content], { type: 'text/plain' }), 'a.txt')
  const headers = { Authorization: `Bearer ${token}` }
  const reply = await fetch(`${server.url}/api/v1/files/?process=false`, {
    method: 'POST',
    body,
    headers,
  })
  return ((await reply.json()) as { id: string }).id
}

test('a download of a file or of the database gives no warning of leaking listeners', async () => {
  const content = 'x'.repeat(300_000)
  const path = `/api/v1/files/${await upload(content)}/content`
  expect(await (await server.call('GET', path, { token })).text()).toBe(content)
  const part = await server.call('GET', path, { token, headers: { Range: 'bytes=10-99' } })
  expect([part.status, (await part.text()).length]).toEqual([206, 90])
  const copy = await server.call('GET', '/api/v1/utils/db/download', { token })
  expect(Buffer.from(await copy.arrayBuffer()).toString('latin1', 0, 15)).toBe('SQLite format 3')
  await nextTurn()
  expect(warnings.map(String)).toEqual([])
})
