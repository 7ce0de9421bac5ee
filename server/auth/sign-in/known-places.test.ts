import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/auths.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  type TestReply,
} from '../../testing/start-auth-gateway.ts'
import { readWholeDatabase } from '../../testing/read-whole-database.ts'

const BROWSER = { 'sec-fetch-site': 'same-origin' }
let gateway: TestGateway
let admin: Session
let count = 0

beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await gateway.signUp()
})
afterAll(() => gateway.close())

/** An account without any sign-in yet, created by an administrator. */
let person: { email: string; password: string }
beforeEach(async () => {
  const name = `person${(count += 1)}`
  await gateway.addUser(admin, name)
  person = { email: `${name}@example.org`, password: `password of ${name}` }
})

const nobody = (): string => `nobody${(count += 1)}@example.org`
const newAddress = (): string => `198.51.${(count += 1) >> 8}.${count & 255}`
const signIn = (
  address: string,
  headers: Record<string, string> = {},
  body: object = {},
): Promise<TestReply> =>
  gateway.call('/api/v1/auths/signin', {
    body: { ...person, ...body },
    headers: { 'x-forwarded-for': address, ...headers },
  })
const deviceCookies = ({ headers }: TestReply): string[] =>
  (headers['set-cookie'] ?? []).filter((cookie) => cookie.startsWith('device-'))
const toCookie = (reply: TestReply): Record<string, string> => ({
  cookie: deviceCookies(reply)
    .map((cookie) => cookie.split(';', 1)[0]!)
    .join('; '),
})
/** Uses up the sign-in attempts of the account from addresses it never signed in from. */
async function attack(): Promise<void> {
  const tries = Array.from({ length: 16 }, () => signIn(newAddress(), {}, { password: 'a guess' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(15)
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
}

describe('an account that somebody with many addresses attacks', () => {
  it('lets its owner in from an address that signed in before, and nobody else', async () => {
    const home = newAddress()
    expect((await signIn(home)).status).toBe(200)
    await attack()
    expect((await signIn(newAddress())).status).toBe(429)
    expect((await signIn(home)).status).toBe(200)
  })

  it('lets its owner in from any address by the browser that signed in before', async () => {
    const first = await signIn(newAddress(), BROWSER)
    const [cookie] = deviceCookies(first)
    expect(cookie).toMatch(
      /^device-[\w-]{12}=\w{43}; Max-Age=15552000; Path=\/api\/v1\/auths; HttpOnly; SameSite=Strict$/,
    )
    await attack()
    expect((await signIn(newAddress(), BROWSER)).status).toBe(429)
    const again = await signIn(newAddress(), { ...BROWSER, ...toCookie(first) })
    expect(again.status).toBe(200)
    expect(deviceCookies(again)).toEqual([cookie])
  })

  it('takes the secret of a browser for no other account, and no secret that was made up', async () => {
    const owner = person
    const first = await signIn(newAddress(), BROWSER)
    await gateway.addUser(admin, `thief${(count += 1)}`)
    person = { email: `thief${count}@example.org`, password: `password of thief${count}` }
    await attack()
    expect((await signIn(newAddress(), toCookie(first))).status).toBe(429)
    person = owner
    await attack()
    const [name] = toCookie(first).cookie!.split('=')
    expect((await signIn(newAddress(), { cookie: `${name}=${'a'.repeat(43)}` })).status).toBe(429)
  })

  it('gives a browser that knows the account 15 tries of its own, no more', async () => {
    const first = await signIn(newAddress(), BROWSER)
    const guess = () => signIn(newAddress(), toCookie(first), { password: 'a guess' })
    const statuses = (await Promise.all(Array.from({ length: 20 }, guess))).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 400)).toHaveLength(15)
    expect((await signIn(newAddress(), toCookie(first))).status).toBe(429)
    expect((await signIn(newAddress())).status).toBe(200)
  })
})

describe('an address that many people share', () => {
  it('goes on letting in the accounts that signed in from there when one of them guesses', async () => {
    const office = newAddress()
    expect((await signIn(office)).status).toBe(200)
    for (let index = 0; index < 16; index += 1) await signIn(office, {}, { email: nobody() })
    expect((await signIn(office, {}, { email: nobody() })).status).toBe(429)
    expect((await signIn(office)).status).toBe(200)
  })

  it('lets in a browser that knows the account, though it comes to this address for the first time', async () => {
    const laptop = toCookie(await signIn(newAddress(), BROWSER))
    const office = newAddress()
    for (let index = 0; index < 15; index += 1) await signIn(office, {}, { email: nobody() })
    expect((await signIn(office)).status).toBe(429)
    expect((await signIn(office, laptop)).status).toBe(200)
  })

  it('counts a network of IPv6 as one address', async () => {
    expect((await signIn('2001:db8:1:2::1')).status).toBe(200)
    await attack()
    expect((await signIn('2001:db8:1:2:aaaa::7')).status).toBe(200)
    expect((await signIn('2001:db8:1:3::1')).status).toBe(429)
  })
})

describe('what is kept of places', () => {
  const stored = async (kind: 'device' | 'address') => {
    const { id } = (await gateway.users.findByEmail(person.email))!
    const { storage } = gateway
    return storage.all(
      storage.builder
        .selectFrom('known_place')
        .selectAll()
        .where('user_id', '=', id)
        .where('kind', '=', kind),
    )
  }

  it('is bounded for each account: the ones used last', async () => {
    const addresses = Array.from({ length: 22 }, newAddress)
    const jars = []
    for (const address of addresses) jars.push(toCookie(await signIn(address, BROWSER)))
    expect([(await stored('device')).length, (await stored('address')).length]).toEqual([20, 20])
    expect(jars.at(-1)!.cookie).not.toBe(jars[0]!.cookie)
  })

  it('is no secret of a browser, none of a program, and none of a failed sign-in', async () => {
    expect(deviceCookies(await signIn(newAddress()))).toEqual([])
    expect(deviceCookies(await signIn(newAddress(), BROWSER, { password: 'wrong' }))).toEqual([])
    expect(await stored('device')).toEqual([])
    const first = await signIn(newAddress(), BROWSER)
    const [secret] = /(?<==)\w{43}/.exec(deviceCookies(first)[0]!)!
    expect(await readWholeDatabase(gateway.storage)).not.toContain(secret)
  })

  it('gives a browser with a secret from elsewhere one of its own, so that nobody can plant one', async () => {
    const first = await signIn(newAddress(), BROWSER)
    const [name] = toCookie(first).cookie!.split('=')
    const planted = `${name}=${'P'.repeat(43)}`
    expect(toCookie(await signIn(newAddress(), { ...BROWSER, cookie: planted })).cookie).not.toBe(
      planted,
    )
  })

  it('clears the oldest secrets of a browser that many accounts share', async () => {
    const others = Array.from(
      { length: 25 },
      (_, index) => `device-${String(index).padStart(12, '0')}=${'a'.repeat(43)}`,
    )
    const reply = await signIn(newAddress(), { ...BROWSER, cookie: others.join('; ') })
    const [own, ...cleared] = deviceCookies(reply)
    expect(own).toContain('Max-Age=15552000')
    expect(cleared.map((cookie) => cookie.slice(0, 19))).toEqual(
      others.slice(0, 6).map((cookie) => cookie.slice(0, 19)),
    )
    for (const cookie of cleared) expect(cookie).toContain('Max-Age=0')
  })

  it('goes with a changed password, except where it was changed, and with the account', async () => {
    const stolen = newAddress()
    await signIn(stolen, BROWSER)
    const { body: session } = await signIn(newAddress(), BROWSER)
    const home = newAddress()
    const change = { password: person.password, new_password: 'another password' }
    const headers = { ...bearer(session), 'x-forwarded-for': home }
    expect(
      (await gateway.call('/api/v1/auths/update/password', { body: change, headers })).status,
    ).toBe(200)
    expect([
      ...(await stored('device')),
      ...(await stored('address')).map(({ place }) => place),
    ]).toEqual([home])
    await gateway.users.remove(session.id)
    const { storage } = gateway
    const left = storage.builder
      .selectFrom('known_place')
      .select('place')
      .where('user_id', '=', session.id)
    expect(await storage.all(left)).toEqual([])
  })

  it('outlives a restart', async () => {
    const path = `${createTemporaryFolder()}/gateway.db`
    const before = await startTestGateway({ path })
    await before.signUp()
    await before.close()
    const after = await startTestGateway({ path })
    const tryFrom = (address: string, password: string) =>
      after.call('/api/v1/auths/signin', {
        body: { ...ADMIN, password },
        headers: { 'x-forwarded-for': address },
      })
    for (let index = 0; index < 15; index += 1) await tryFrom(`192.0.2.${index}`, 'wrong')
    expect((await tryFrom('192.0.2.99', ADMIN.password)).status).toBe(429)
    expect((await after.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(200)
    await after.close()
  })
})

describe('sign-ups', () => {
  it('are counted for their address, and hold up nobody who signs in', async () => {
    await gateway.settings.update({ ENABLE_SIGNUP: true })
    const signUp = (index: number) =>
      gateway.call('/api/v1/auths/signup', {
        body: {
          name: 'Stranger',
          email: `stranger${index}@example.org`,
          password: 'a long password',
        },
        headers: { 'x-forwarded-for': index < 20 ? '203.0.113.1' : newAddress() },
      })
    const rush = Array.from({ length: 130 }, (_, index) => signUp(index))
    const signIns = await Promise.all(Array.from({ length: 3 }, () => signIn(newAddress())))
    expect(signIns.map(({ status }) => status)).toEqual([200, 200, 200])
    const replies = await Promise.all(rush)
    expect(
      replies.slice(0, 20).filter(({ status }) => status === 429).length,
    ).toBeGreaterThanOrEqual(5)
    const refused = (await signUp(0)).body.detail as string
    expect(refused).toContain('15 in 180 seconds are allowed (SIGNUP_TRIES_PER_ADDRESS)')
    await gateway.settings.update({ ENABLE_SIGNUP: false })
  })
})
