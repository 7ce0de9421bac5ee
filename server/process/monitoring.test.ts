import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { startGatewayProcess } from '../testing/start-process.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-monitoring-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const failureOf = async (environment: Record<string, string>): Promise<string> => {
  try {
    await (await startGatewayProcess({ DATA_DIR: dataDir, ...environment })).kill()
    return 'It started.'
  } catch (error) {
    return String(error).trim()
  }
}

test.each([
  [{ METRICS_ADDRESS: 'everywhere' }, 'METRICS_ADDRESS="everywhere"'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not'],
])('%j ends the start with 1 and one line that names the variable', async (more, words) => {
  const failed = await failureOf(more)
  expect(failed).toContain('The gateway ended with 1: ')
  expect(failed).toContain(words)
  expect(failed.split('\n')).toHaveLength(1)
})

test('an address for measurements that is taken ends the start with 1 and one line, and none is tried beside it', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const failed = await failureOf({ METRICS_ADDRESS: address })
  other.close()
  expect(failed).toContain('The gateway ended with 1: ')
  expect(failed).toContain(`METRICS_ADDRESS="${address}" cannot be used: something else listens`)
  expect(failed.split('\n')).toHaveLength(1)
})

test('a gateway that was told to stop is measured until its last stream has ended', async () => {
  const upstream = await startFakeCompatible({ models: ['cloud'] })
  const address = `127.0.0.1:${await findFreePort()}`
  const gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    METRICS_ADDRESS: address,
    SHUTDOWN_GRACE: '30',
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'key',
  })
  const call = (target: string, body: unknown, token = ''): Promise<Response> =>
    fetch(gateway.url + target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const { token } = (await (await call('/api/v1/auths/signup', account)).json()) as {
    token: string
  }
  await (
    await fetch(`${gateway.url}/api/models`, { headers: { Authorization: `Bearer ${token}` } })
  ).text()
  const question = { role: 'user', content: '/slow 60' }
  const stream = await call(
    '/api/chat/completions',
    { model: 'cloud', messages: [question], stream: true },
    token,
  )
  const ended = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  await expect
    .poll(async () => (await fetch(`${gateway.url}/ready`)).status, { interval: 20 })
    .toBe(503)
  const text = await (await fetch(`http://${address}/metrics`)).text()
  expect(text).toContain('\nchat_gateway_running_streams 1\n')
  expect(text).toMatch(/http_requests_total\{method="GET",route="\(other\)",status="503"\} [1-9]/)
  expect(await stream.text()).toContain('word60')
  await ended
  expect(gateway.child.exitCode).toBe(0)
  await expect(fetch(`http://${address}/metrics`)).rejects.toThrow('fetch failed')
  await upstream.close()
}, 60_000)
