import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { hasNginx, startNginx, type Nginx } from '../testing/start-nginx.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const SLOW = 120_000
// Each has a separate database, which is enough to test a proxy.
describe.skipIf(!hasNginx)(
  'two gateways behind the nginx that is shipped',
  { timeout: SLOW },
  () => {
    let upstream: FakeUpstream
    let folder: string
    let gateways: GatewayProcess[]
    let tokens: string[]
    let nginx: Nginx
    let url: string

    beforeAll(async () => {
      upstream = await startFakeCompatible({ models: ['cloud'] })
      folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-nginx-'))
      const port = await findFreePort()
      url = `http://127.0.0.1:${port}`
      gateways = await Promise.all(
        ['one', 'two'].map((name) =>
          startGatewayProcess({
            DATA_DIR: path.join(folder, name),
            WEBUI_URL: url,
            WEBUI_SECRET_KEY: 'the same for both of them',
            TRUSTED_PROXIES: '127.0.0.1',
            ENABLE_API_KEYS: 'true',
            OPENAI_API_BASE_URLS: upstream.url,
            OPENAI_API_KEYS: 'key',
          }),
        ),
      )
      tokens = await Promise.all(gateways.map(signUp))
      nginx = await startNginx({ port, gateways: gateways.map((each) => each.url) })
    }, SLOW)
    afterAll(async () => {
      await nginx.close()
      for (const gateway of gateways) if (gateway.child.exitCode === null) await gateway.kill()
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function signUp(gateway: GatewayProcess): Promise<string> {
      const reply = await fetch(`${gateway.url}/api/v1/auths/signup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          name: 'Ada',
          email: 'ada@example.com',
          password: 'correct horse battery',
        }),
      })
      const { token } = (await reply.json()) as { token: string }
      await (
        await fetch(`${gateway.url}/api/models`, { headers: { Authorization: `Bearer ${token}` } })
      ).text()
      return token
    }

    /** Repeats the call until it reaches the gateway the session belongs to. */
    async function reach(target: string, init: RequestInit, token: string): Promise<Response> {
      for (;;) {
        const reply = await fetch(url + target, {
          ...init,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        })
        if (reply.status !== 401) return reply
        await reply.text()
      }
    }

    it('share the calls', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${url}/api/v1/auths/`, { headers: { Authorization: `Bearer ${tokens[0]}` } }),
        ),
      )
      const statuses = replies.map(({ status }) => status)
      // The session belongs to the first gateway, so the second one refuses it.
      expect(new Set(statuses)).toEqual(new Set([200, 401]))
    })

    it('stream piece by piece', async () => {
      const body = JSON.stringify({
        model: 'cloud',
        messages: [{ role: 'user', content: '/slow 20' }],
        stream: true,
      })
      const reply = await reach('/api/chat/completions', { method: 'POST', body }, tokens[0]!)
      const times: number[] = []
      for await (const _ of reply.body!) times.push(performance.now())
      expect(times.length).toBeGreaterThan(10)
      expect(times.at(-1)! - times[0]!).toBeGreaterThan(500)
    })

    it('take sockets and files of any size', async () => {
      const opened = new WebSocket(`${url.replace('http', 'ws')}/ws`)
      await once(opened, 'open')
      opened.close()
      const form = new FormData()
      form.set('file', new Blob(['x'.repeat(5 * 1024 * 1024)], { type: 'text/plain' }), 'long.txt')
      let status = 401
      while (status === 401) {
        const reply = await fetch(`${url}/api/v1/files/?process=false`, {
          method: 'POST',
          body: form,
          headers: { Authorization: `Bearer ${tokens[1]}` },
        })
        status = reply.status
        await reply.text()
      }
      expect(status).toBe(200)
    })

    it('are not missed one by one: calls go to the other when one is killed', async () => {
      await gateways[0]!.kill()
      for (let each = 0; each < 20; each += 1)
        expect((await fetch(`${url}/ready`)).status).toBe(200)
      expect((await fetch(`${url}/api/config`)).status).toBe(200)
    })
  },
)
