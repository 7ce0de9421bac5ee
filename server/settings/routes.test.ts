import express from 'express'
import { pino } from 'pino'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config/parse-config.ts'
import { mount, type Caller } from '../lib/http.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { GatewaySettings, settingsRoutes } from './index.ts'

async function serveSettings(role: Caller['role'] = 'admin') {
  const settings = await GatewaySettings.open({
    storage: createTestStorage(),
    secrets: createSecrets('root'),
    config: parseConfig({}),
  })
  const caller: Caller = {
    userId: '1',
    role,
    name: 'Ada',
    email: 'ada@example.org',
    credential: 'bearer',
    keyId: null,
  }
  const app = express()
  mount(app, settingsRoutes(settings), {
    authenticate: () => caller,
    requirePermitted: () => undefined,
    log: pino({ level: 'silent' }),
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/settings`
  const send = (body: unknown) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { settings, url, send }
}

describe('the settings endpoints', () => {
  it('list every setting with its value and where the value comes from', async () => {
    const { url, settings } = await serveSettings()
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(settings.describe())
  })

  it('store values and answer with the new list', async () => {
    const { send, settings } = await serveSettings()
    const response = await send({
      values: { ENABLE_SIGNUP: false, DEFAULT_MODELS: ['one', 'two'] },
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(settings.describe())
    expect(settings.get('ENABLE_SIGNUP')).toBe(false)
    expect(settings.get('DEFAULT_MODELS')).toEqual(['one', 'two'])
  })

  it.each([
    [400, { values: { NO_SUCH: 1 } }, /There is no setting .+NO_SUCH/],
    [
      400,
      { values: { ENABLE_SIGNUP: false, JWT_EXPIRES_IN: 'soon' } },
      /JWT_EXPIRES_IN must be a duration/,
    ],
    [422, { values: { ENABLE_SIGNUP: { deep: true } } }, /values/],
    [422, { values: [] }, /values/],
    [422, {}, /values/],
  ])('answer %i to %o and change nothing', async (status, body, detail) => {
    const { send, settings } = await serveSettings()
    const before = settings.describe()
    const response = await send(body)
    expect(response.status).toBe(status)
    expect(JSON.stringify(await response.json())).toMatch(detail)
    expect(settings.describe()).toEqual(before)
  })

  it('are closed to everybody but administrators', async () => {
    const { url, send } = await serveSettings('user')
    expect((await fetch(url)).status).toBe(401)
    expect((await send({ values: {} })).status).toBe(401)
  })
})
