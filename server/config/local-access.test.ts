import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startTestServer } from '../testing/start-server.ts'

it('a running gateway keeps a token for programs of its owner, readable by nobody else and gone when it stops', async () => {
  const server = await startTestServer()
  const file = path.join(server.dataDir, 'local-access.json')
  const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
  expect(process.platform === 'win32' ? 0o600 : statSync(file).mode & 0o777).toBe(0o600)
  await server.signUp('Root')
  const reply = await server.call('POST', '/api/v1/auths/local', { body: { token } })
  expect(await reply.json()).toMatchObject({ name: 'Root', role: 'admin' })
  await server.close({ keep: true })
  expect(existsSync(file)).toBe(false)
  const again = await startTestServer({ dataDir: server.dataDir })
  expect(readFileSync(file, 'utf8')).not.toContain(token)
  await again.close()
})
