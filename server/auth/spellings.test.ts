import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, send } from '../testing/start-auth-gateway.ts'
import { createWorld, type World } from '../testing/create-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

const portOf = (): number => Number(new URL(world.server.url).port)

/** Sends a target exactly as written and resolves with the status and the body. */
async function sendTarget(
  target: string,
  token: string | null,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const socket = connect(portOf(), '127.0.0.1')
  await once(socket, 'connect')
  const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  // The socket is not half-closed: a client that hangs up before the reply gets none when the
  // database is remote.
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\n${authorization}Connection: close\r\n\r\n`,
  )
  let text = ''
  for await (const part of socket.setEncoding('latin1')) text += part as string
  return { status: Number(text.slice(9, 12)), text }
}

describe('row 67: no spelling of an address gives more access than the plain one', () => {
  const SECRET = '/api/v1/users/'
  const SPELLINGS = String.raw`
    /API/v1/users/ /api/V1/users/ /api/v1/USERS/ /Api/V1/Users //api/v1/users/ /api//v1/users/ /api/v1//users/
    /api/v1/users// /./api/v1/users/ /api/./v1/users/ /api/v1/./users/ /api/v1/users/. /api/v1/users/./ /x/../api/v1/users/
    /api/x/../v1/users/ /api/models/../v1/users/ /api/v1/users/.. /api/v1/users/../users/ /api/v1%2fusers/
    /api%2fv1%2fusers%2f /%61pi/v1/users/ /api/v1/%75sers/ /api/v1/users%2f /api/%2e/v1/users/ /api/%2e%2e/api/v1/users/
    /api/models/%2e%2e/v1/users/ /api/v1/users/%00 /api/v1/users%00 /api/v1/users/%20 /api/v1/users;x /api/v1/users;x=1/
    /api;/v1/users/ /api/models;/../v1/users/ /api\v1\users\ /api/v1\users/ /api/models/..\v1/users/ /api/v1/users?
    /api/v1/users/?x=/api/models /api/v1/users/#/api/models /api/v1/users.json /api/v1/users/%c0%ae /api/%c0%afv1/users/
    /api/v1/users/%e0%80%af /api/v1/us%65rs/?page=1 /api/v1/users/% /api/v1/users/%zz /api/models/%2f..%2fv1%2fusers
    /api/models%2f..%2fv1%2fusers /api/models?/../v1/users/ /api/v1/users/~`
    .trim()
    .split(/\s+/)

  it('for anonymous callers and for a key that may list models only', async () => {
    expect(SPELLINGS.length).toBeGreaterThanOrEqual(40)
    const { settings } = world.server.context
    await settings.update({ API_KEYS_ALLOWED_ENDPOINTS: ['/api/models'] })
    for (const spelling of [SECRET, ...SPELLINGS]) {
      for (const token of [null, world.tokens.restrictedKey]) {
        for (const method of [
          'GET',
          'HEAD',
          'OPTIONS',
          'POST',
          'DELETE',
          'PUT',
          'PATCH',
          'TRACE',
          'get',
        ]) {
          const { status, text } = await sendTarget(spelling, token, method)
          const mayAnswer =
            method === 'OPTIONS' || (token !== null && spelling.startsWith('/api/models'))
          const verdict = {
            isRefused: mayAnswer || (status >= 400 && status < 500),
            leaks: text.includes('@example.com'),
          }
          expect({ method, spelling, ...verdict }).toEqual({
            method,
            spelling,
            isRefused: true,
            leaks: false,
          })
        }
      }
    }
    await settings.update({ API_KEYS_ALLOWED_ENDPOINTS: ['/api/nothing'] })
  })

  it('an override header or field does not change the verb', async () => {
    const target = await world.newUser()
    const headers = {
      ...bearer(world.tokens.other),
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
    }
    for (const path of [`/api/v1/users/${target}`, `/api/v1/users/${target}?_method=DELETE`]) {
      for (const method of ['GET', 'POST'])
        expect([401, 404]).toContain((await send(portOf(), path, { method, headers })).status)
    }
    expect(await world.server.context.users.get(target)).not.toBeNull()
  })
})
