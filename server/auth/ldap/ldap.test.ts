import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { LdapServer } from '#contract/ldap.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { createTestCertificate } from '../../testing/create-test-certificate.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
} from '../../testing/start-auth-gateway.ts'
import {
  BASE,
  SEARCHER,
  startDirectory,
  startRaising,
  type TestDirectoryOptions,
} from '../../testing/start-directory.ts'

const GRACE = {
  uid: 'grace',
  password: 'cobol',
  attributes: { mail: 'Grace@Example.org', displayName: 'Grace Hopper' },
}
const LINUS = {
  uid: 'linus',
  password: 'kernel',
  attributes: { mail: ['linus@example.org', 'other@example.org'] },
}
const NOBODY = { uid: 'nomail', password: 'silence' }
const PEOPLE = [GRACE, LINUS, NOBODY]

const PLAIN: Partial<LdapServer> = {
  host: '127.0.0.1',
  use_tls: false,
  app_dn: SEARCHER.dn,
  app_dn_password: SEARCHER.password,
  search_base: BASE,
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

let gateway: TestGateway
let directory: Awaited<ReturnType<typeof startDirectory>>
let admin: Awaited<ReturnType<TestGateway['signUp']>>

async function start(
  options: Partial<TestDirectoryOptions> = {},
  server: Partial<LdapServer> = {},
): Promise<void> {
  directory = await startDirectory({ people: PEOPLE, ...options })
  ends.push(directory.close)
  gateway = await startTestGateway()
  ends.push(() => gateway.close())
  admin = await gateway.signUp()
  await gateway.settings.update({ ENABLE_LDAP: true })
  await configure({ ...PLAIN, port: directory.port, ...server })
}
const configure = (body: object) =>
  gateway.call('/api/v1/auths/admin/config/ldap/server', { body, headers: bearer(admin) })
const signIn = (user: unknown, password: unknown) =>
  gateway.call('/api/v1/auths/ldap', { body: { user, password } })
const verify = (body: object = {}) =>
  gateway.call('/api/v1/auths/admin/config/ldap/verify', { body, headers: bearer(admin) })

describe('signing in with a directory', () => {
  it('makes the account the first time and finds it again', async () => {
    await start()
    const first = await signIn(' grace ', GRACE.password)
    expect(first.body).toMatchObject({
      email: 'grace@example.org',
      name: 'Grace Hopper',
      role: 'pending',
      token_type: 'Bearer',
    })
    expect(String(first.headers['set-cookie'])).toContain('HttpOnly')
    const body = { user: 'grace', password: GRACE.password }
    const ofBrowser = await gateway.call('/api/v1/auths/ldap', {
      body,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(ofBrowser.headers['x-session-key']).toBeDefined()
    expect((await signIn('grace', GRACE.password)).body.id).toBe(first.body.id)
    expect((await signIn('linus', LINUS.password)).body.email).toBe('linus@example.org')
  })

  it('gives new accounts the role of new accounts, and nobody a password here', async () => {
    await start()
    await gateway.settings.update({ DEFAULT_USER_ROLE: 'user' })
    const { body } = await signIn('grace', GRACE.password)
    expect(body.role).toBe('user')
    expect(
      (
        await gateway.call('/api/v1/auths/signin', {
          body: { email: GRACE.attributes.mail, password: GRACE.password },
        })
      ).status,
    ).toBe(400)
    expect(
      (
        await gateway.call('/api/v1/auths/signin', {
          body: { email: GRACE.attributes.mail, password: '' },
        })
      ).status,
    ).toBe(400)
  })

  it('row 76: takes an account that a stranger registered with the address from the stranger, once', async () => {
    await start()
    const email = GRACE.attributes.mail.toLowerCase()
    const password = 'the password of a stranger'
    await gateway.settings.update({
      ENABLE_SIGNUP: true,
      ENABLE_API_KEYS: true,
      USER_PERMISSIONS_FEATURES_API_KEYS: true,
      DEFAULT_USER_ROLE: 'user',
    })
    const name = 'Grace'
    const stranger = await gateway.call('/api/v1/auths/signup', { body: { name, email, password } })
    const headers = bearer(stranger.body)
    const key = await gateway.call('/api/v1/auths/api_keys', { body: { name }, headers })
    expect(key.status).toBe(200)
    // Answers would be told to this address, and sent to the tool server.
    const ui = {
      notifications: { webhook_url: 'https://stranger.example.org/' },
      toolServers: [{ url: 'https://stranger.example.org/' }],
    }
    await gateway.users.updateSettings(stranger.body.id, { ui })
    const signedIn = await signIn('grace', GRACE.password)
    expect(signedIn.body.id).toBe(stranger.body.id)
    const ask = (token: string) =>
      gateway.call('/api/v1/auths/', { headers: { authorization: `Bearer ${token}` } })
    for (const token of [stranger.body.token, key.body.api_key])
      expect((await ask(token)).status).toBe(401)
    expect((await gateway.call('/api/v1/auths/signin', { body: { email, password } })).status).toBe(
      400,
    )
    expect((await ask(signedIn.body.token)).status).toBe(200)
    expect(await gateway.users.settings(signedIn.body.id)).toBeNull()
    // What the person sets up from then on stays.
    const own = await gateway.call('/api/v1/auths/api_keys', {
      body: { name },
      headers: bearer(signedIn.body),
    })
    await signIn('grace', GRACE.password)
    expect((await ask(own.body.api_key)).status).toBe(200)
  })

  it('refuses a wrong password and an unknown name with the same words', async () => {
    await start()
    const wrong = await signIn('grace', 'fortran')
    const unknown = await signIn('nobody', 'fortran')
    expect([wrong.status, unknown.status]).toEqual([400, 400])
    expect(wrong.body.detail).toBe(unknown.body.detail)
    // Both take equally long, because both are tried against the directory.
    expect(directory.binds.filter(({ password }) => password === 'fortran')).toHaveLength(2)
  })

  it('row 70: what is no password never reaches the directory', async () => {
    await start()
    const asked = directory.binds.length
    for (const password of [
      '',
      ' ',
      '\t\n',
      null,
      [],
      ['cobol'],
      {},
      { $ne: '' },
      0,
      true,
      'x'.repeat(1025),
      'a\0b',
    ])
      expect((await signIn('grace', password)).status).toBe(401)
    for (const user of ['', ' ', null, ['grace'], {}, 7])
      expect((await signIn(user, GRACE.password)).status).toBe(401)
    expect(directory.binds).toHaveLength(asked)
  })

  it('takes nothing in a name for a part of the search', async () => {
    await start()
    for (const name of [
      '*',
      'gr*',
      'grace)(uid=*',
      '*)(|(uid=*',
      'grace\\2a',
      '(',
      ')',
      '\\',
      'grace\\',
      '\u{1f600}',
      "grace' or 1=1",
    ])
      expect((await signIn(name, GRACE.password)).status).toBe(400)
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
  })

  it('lets in only entries that fit the further filters, however they are written', async () => {
    await start({}, { search_filters: '(mail=Grace*)' })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
    expect((await signIn('linus', LINUS.password)).status).toBe(400)
    await configure({ search_filters: '(uid=l*)(mail=linus@*)' })
    expect((await signIn('linus', LINUS.password)).status).toBe(200)
    await configure({ search_filters: 'uid=grace' })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
    expect((await configure({ search_filters: '((' })).status).toBe(400)
  })

  it('says what is missing when an entry has no e-mail address', async () => {
    await start()
    const reply = await signIn('nomail', NOBODY.password)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain('e-mail')
  })

  it('lets nobody guess for long', async () => {
    await start()
    const statuses: number[] = []
    for (let index = 0; index < 16; index += 1)
      statuses.push((await signIn('grace', `guess ${index}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 400), 429])
  })

  it('lets a person in where they signed in before, whatever strangers use up under their name', async () => {
    await start()
    const signInFrom = (address: string, password: string) =>
      gateway.call('/api/v1/auths/ldap', {
        body: { user: 'grace', password },
        headers: { 'x-forwarded-for': address },
      })
    expect((await signInFrom('192.0.2.1', GRACE.password)).status).toBe(200)
    for (let index = 0; index < 15; index += 1)
      expect((await signInFrom(`198.51.100.${index}`, 'a guess')).status).toBe(400)
    expect((await signInFrom('192.0.2.2', GRACE.password)).status).toBe(429)
    expect((await signInFrom('192.0.2.1', GRACE.password)).status).toBe(200)
  })

  it('is refused while switched off, and by a gateway that has no first account yet and is reached from elsewhere', async () => {
    await start()
    await gateway.settings.update({ ENABLE_LDAP: false })
    expect((await signIn('grace', GRACE.password)).status).toBe(403)
    const empty = await startTestGateway({
      config: { host: '0.0.0.0' },
      settings: { ENABLE_LDAP: true },
    })
    ends.push(() => empty.close())
    await empty.settings.update({
      LDAP_SERVER_HOST: '127.0.0.1',
      LDAP_SERVER_PORT: directory.port,
      LDAP_USE_TLS: false,
      LDAP_SEARCH_BASE: BASE,
    })
    await empty.settings.update({ LDAP_APP_DN: SEARCHER.dn, LDAP_APP_PASSWORD: SEARCHER.password })
    const body = { user: 'grace', password: GRACE.password }
    expect(
      (
        await empty.call('/api/v1/auths/ldap', {
          body,
          headers: { 'x-forwarded-for': '203.0.113.9' },
        })
      ).status,
    ).toBe(403)
    expect((await empty.call('/api/v1/auths/ldap', { body })).body.role).toBe('admin')
    expect(empty.settings.get('ENABLE_SIGNUP')).toBe(false)
  })

  it('says 502 when the directory is gone or refuses the searching account', async () => {
    await start({}, { app_dn_password: 'wrong' })
    const refused = await signIn('grace', GRACE.password)
    expect(refused.status).toBe(502)
    await directory.close()
    ends.shift()
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
  })
})

describe('the connection to a directory', () => {
  const trusted = createTestCertificate({ name: 'localhost', days: 30 })
  const store = async (certificate: { cert: string }): Promise<string> => {
    const file = path.join(createTemporaryFolder(), 'directory.pem')
    await writeFile(file, certificate.cert)
    return file
  }

  it('is TLS from the start when asked for, and only with a certificate that is trusted', async () => {
    await start({ certificate: trusted }, { host: 'localhost', use_tls: true, tls_mode: 'direct' })
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    expect(directory.binds).toEqual([])
    await configure({ certificate_path: await store(trusted) })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
    const other = createTestCertificate({ name: 'localhost', days: 30 })
    await configure({ certificate_path: await store(other) })
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    await configure({ validate_cert: false })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
  })

  it('refuses the certificate of another machine and one that has ended', async () => {
    const elsewhere = createTestCertificate({ name: 'directory.example.net', days: 30 })
    await start(
      { certificate: elsewhere },
      { host: 'localhost', use_tls: true, certificate_path: await store(elsewhere) },
    )
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    const ended = createTestCertificate({ name: 'localhost', days: -1 })
    await start(
      { certificate: ended },
      { host: 'localhost', use_tls: true, certificate_path: await store(ended) },
    )
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
  })

  it('is raised to TLS before anything is said', async () => {
    await start()
    const front = await startRaising(directory.port, trusted)
    ends.push(front.close)
    await configure({
      host: 'localhost',
      port: front.port,
      use_tls: true,
      tls_mode: 'starttls',
      certificate_path: await store(trusted),
    })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
    expect(front.seen).toHaveLength(1)
    expect(front.seen.join('')).not.toContain(SEARCHER.password)
    await configure({ certificate_path: '' })
    const asked = directory.binds.length
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    expect(directory.binds).toHaveLength(asked)
  })

  it('never falls back to the clear where TLS is asked for', async () => {
    await start({}, { use_tls: true, tls_mode: 'starttls' })
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    expect(directory.binds).toEqual([])
  })
})

describe('a directory that never ends its answer', () => {
  it('is left before it fills the memory', async () => {
    const sent: Socket[] = []
    const endless = createServer((socket) => {
      sent.push(socket.on('error', () => undefined))
      socket.once('data', () => {
        // The head of a message of two gigabytes.
        socket.write(Buffer.from('30847fffffff', 'hex'))
        const goOn = (): void => {
          if (!socket.destroyed) socket.write(Buffer.alloc(1024 * 1024), goOn)
        }
        goOn()
      })
    }).listen(0, '127.0.0.1')
    await once(endless, 'listening')
    ends.push(async () => void endless.close())
    await start({}, { port: (endless.address() as AddressInfo).port })
    const found = await verify()
    expect(found.status).toBe(502)
    expect(found.body.detail).toContain('sent more than a directory answers')
    expect((await signIn('grace', GRACE.password)).status).toBe(502)
    for (const { bytesWritten } of sent) expect(bytesWritten).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('setting a directory up', () => {
  it('is for administrators, shows no password and keeps what is not sent', async () => {
    await start()
    const path = '/api/v1/auths/admin/config/ldap/server'
    const user = await gateway.addUser(admin, 'ben')
    expect((await gateway.call(path, { headers: bearer(user) })).status).toBe(401)
    const shown = (await gateway.call(path, { headers: bearer(admin) })).body
    expect(shown).toMatchObject({
      app_dn: SEARCHER.dn,
      app_dn_password: '********',
      attribute_for_mail: 'mail',
      ciphers: 'ALL',
    })
    expect((await configure({ ...shown, label: 'University', port: null })).body).toMatchObject({
      label: 'University',
      port: directory.port,
    })
    expect((await signIn('grace', GRACE.password)).status).toBe(200)
    expect((await configure({ search_base: '' })).status).toBe(400)
    expect((await configure({ attribute_for_username: 'uid)(x=' })).status).toBe(422)
  })

  it('is switched on and off as scripts know it, and told to the sign-in page', async () => {
    await start()
    const path = '/api/v1/auths/admin/config/ldap'
    expect(
      (await gateway.call(path, { body: { enable_ldap: false }, headers: bearer(admin) })).body,
    ).toEqual({ ENABLE_LDAP: false })
    expect((await gateway.call(path, { headers: bearer(admin) })).body).toEqual({
      ENABLE_LDAP: false,
    })
  })

  it('tries what is set up and says which part fails', async () => {
    await start()
    expect((await verify()).body).toEqual({ status: true, entries: 3 })
    expect((await verify({ search_filters: '(uid=grace)' })).body).toEqual({
      status: true,
      entries: 1,
    })
    const wrong = await verify({ app_dn_password: 'wrong' })
    expect(wrong.status).toBe(502)
    expect(wrong.body.detail).toContain('password')
    expect((await verify({ port: 1 })).body.detail).toContain('refused')
    expect(
      (await verify({ certificate_path: '/nowhere.pem', use_tls: true })).body.detail,
    ).toContain('certificate')
    expect((await verify({ host: '' })).status).toBe(400)
  })

  it('leaves alone who signs in with a password', async () => {
    await start()
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(200)
  })
})
