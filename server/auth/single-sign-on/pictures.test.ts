import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { findFreePort } from '../../testing/find-free-port.ts'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

let world: SingleSignOnWorld
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts a server on this machine that serves pictures and records the requests. */
async function startPlace() {
  const asked: string[] = []
  const listener = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/hang') return
    const isPicture = request.url?.startsWith('/picture') === true
    response
      .writeHead(200, { 'Content-Type': isPicture ? 'image/png' : 'image/svg+xml' })
      .end(isPicture ? PNG : SVG)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  ends.push(async () => {
    listener.closeAllConnections()
    listener.close()
    await once(listener, 'close')
  })
  const { port } = listener.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked }
}

async function start(environment: Record<string, string> = {}) {
  world = await startSingleSignOn(environment)
  ends.push(() => world.close())
}
const imageOf = async (email = 'ada@example.com') => {
  const { users } = world.server.context
  return users.profiles.image((await users.findByEmail(email))!.id)
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

it('row 7: a picture inside the machine is not asked for, and the sign-in works with the built-in one', async () => {
  const place = await startPlace()
  await start()
  for (const picture of [
    `${place.url}/picture`,
    'http://169.254.169.254/latest',
    'http://[::1]/x',
    'file:///etc/passwd',
    'x',
    'javascript:alert(1)',
  ]) {
    world.provider.people['ada'] = { email: 'ada@example.com', picture }
    await world.set({ OAUTH_UPDATE_PICTURE_ON_LOGIN: true })
    expect((await world.signIn('ada')).searchParams.get('error')).toBeNull()
  }
  await settle()
  expect([place.asked, await imageOf()]).toEqual([[], null])
})

it('keeps the address of a picture that is one, once, or at every sign-in where a setting says so', async () => {
  const place = await startPlace()
  await start({ WEB_FETCH_ALLOWED_HOSTS: place.host })
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `${place.url}/picture/1` }
  await world.signIn('ada')
  await vi.waitFor(async () => expect(await imageOf()).toBe(`${place.url}/picture/1`))
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `${place.url}/picture/2` }
  await world.signIn('ada')
  await settle()
  expect(await imageOf()).toBe(`${place.url}/picture/1`)
  await world.set({ OAUTH_UPDATE_PICTURE_ON_LOGIN: true })
  await world.signIn('ada')
  await vi.waitFor(async () => expect(await imageOf()).toBe(`${place.url}/picture/2`))
  // Row 24: a file that is not a bitmap is rejected, whatever type it claims.
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `${place.url}/drawing` }
  await world.signIn('ada')
  await vi.waitFor(() => expect(place.asked).toContain('/drawing'))
  await settle()
  expect(await imageOf()).toBe(`${place.url}/picture/2`)
  await world.set({ OAUTH_PICTURE_CLAIM: '' })
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `${place.url}/picture/3` }
  await world.signIn('ada')
  await settle()
  expect(place.asked).not.toContain('/picture/3')
})

it('keeps the https address of a host that gives the gateway no answer, because browsers may get one', async () => {
  const host = `127.0.0.1:${await findFreePort()}`
  await start({ WEB_FETCH_ALLOWED_HOSTS: host })
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `https://${host}/ada.png` }
  await world.signIn('ada')
  await vi.waitFor(async () => expect(await imageOf()).toBe(`https://${host}/ada.png`))
  await world.set({ OAUTH_UPDATE_PICTURE_ON_LOGIN: true })
  for (const picture of [`http://${host}/ada.png`, 'https://10.0.0.1/ada.png']) {
    world.provider.people['ada'] = { email: 'ada@example.com', picture }
    await world.signIn('ada')
    await settle()
    expect(await imageOf()).toBe(`https://${host}/ada.png`)
  }
})

it('takes a picture that stands in the claim itself only when it is a bitmap by its content', async () => {
  await start()
  world.provider.people['ada'] = {
    email: 'ada@example.com',
    picture: `data:image/png;base64,${Buffer.from(SVG).toString('base64')}`,
  }
  await world.signIn('ada')
  await settle()
  expect(await imageOf()).toBeNull()
  await world.set({ OAUTH_UPDATE_PICTURE_ON_LOGIN: true })
  const picture = `data:image/png;base64,${PNG.toString('base64')}`
  world.provider.people['ada'] = { email: 'ada@example.com', picture }
  await world.signIn('ada')
  await vi.waitFor(async () => expect(await imageOf()).toBe(picture))
})

it('a place that hangs does not hold up the sign-in', async () => {
  const place = await startPlace()
  await start({ WEB_FETCH_ALLOWED_HOSTS: place.host })
  world.provider.people['ada'] = { email: 'ada@example.com', picture: `${place.url}/hang` }
  const began = performance.now()
  await world.signIn('ada')
  expect(performance.now() - began).toBeLessThan(3000)
})

it('browsers are led to the picture only while ENABLE_PROFILE_IMAGE_URL_FORWARDING is on', async () => {
  await start()
  await world.signIn('ada')
  const { users } = world.server.context
  const id = (await users.findByEmail('ada@example.com'))!.id
  await users.profiles.update(id, { profile_image_url: 'https://pictures.example/ada.png' })
  const program = new TestBrowser({ isPage: false })
  await world.signIn('ada', program)
  const read = () => program.fetch(`${world.server.url}/api/v1/users/${id}/profile/image`)
  const led = await read()
  expect([led.status, led.headers.get('location')]).toEqual([
    302,
    'https://pictures.example/ada.png',
  ])
  await world.set({ ENABLE_PROFILE_IMAGE_URL_FORWARDING: false })
  const shown = await read()
  expect([shown.status, shown.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\//),
  ])
  expect(await users.profiles.image(id)).toBe('https://pictures.example/ada.png')
})
