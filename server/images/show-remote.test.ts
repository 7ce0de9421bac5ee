import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import { drawPng } from '../testing/draw-png.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'
import { showRemote } from './show-remote.ts'

let web: Server
let address: string
let asked: IncomingHttpHeaders = {}
let gateway: TestServer
beforeAll(async () => {
  web = createServer((request, response) => {
    asked = request.headers
    if (request.url === '/gone') response.writeHead(404).end('gone')
    else if (request.url === '/page')
      response.writeHead(200, { 'Content-Type': 'image/png' }).end('<script>alert(1)</script>')
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(drawPng())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => void web.once('listening', resolve))
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  gateway = await startTestServer()
})
afterAll(async () => {
  web.close()
  await gateway.close()
})

const show = (path: string, maximumBytes = 1_000_000) =>
  showRemote(
    {
      settings: gateway.context.settings,
      guardedFetch: new GuardedFetch(() => ({
        allowLocal: true,
        allowedHosts: [],
        maximumBytes,
        timeoutMilliseconds: 5000,
        offline: false,
      })),
    },
    address + path,
    AbortSignal.timeout(5000),
  )

test('a picture is what its bytes are, and its server learns of nobody', async () => {
  const { type, bytes } = await show('/picture')
  expect(type).toBe('image/png')
  expect(bytes.equals(drawPng())).toBe(true)
  expect(asked).not.toHaveProperty('cookie')
  expect(asked).not.toHaveProperty('referer')
  expect(asked).not.toHaveProperty('authorization')
})

test('what is no picture is not handed on, whatever its server calls it', async () => {
  await expect(show('/page')).rejects.toThrow('This is not a PNG, JPEG, GIF or WebP image.')
  await expect(show('/gone')).rejects.toThrow('its server answered with 404')
  await expect(show('/picture', 10)).rejects.toThrow('is larger than')
})

test('addresses of the network of the gateway are refused', async () => {
  const token = await gateway.signUp('Ada')
  const asks = async (url: unknown) =>
    (await gateway.call('POST', '/api/v1/images/show', { token, body: { url } })).status
  expect(await asks(`${address}/picture`)).toBe(400)
  expect(await asks('file:///etc/passwd')).toBe(400)
  expect(await asks('')).toBe(422)
})
