import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { ADMIN } from '../accounts.ts'
import { send } from '../chat-api.ts'
import { expect, test as base } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

interface OtherPort {
  readonly url: string
  /** Returns the headers of the last request, as received by the program behind the port. */
  seen(): IncomingHttpHeaders
}

/** Another program on the gateway's machine: browsers send it the cookies of the whole host. */
const test = base.extend<{ otherPort: OtherPort }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  otherPort: async ({}, use) => {
    let seen: IncomingHttpHeaders = {}
    const server = createServer(({ headers }, response) => {
      seen = headers
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .end('<!doctype html><title>Other port</title><p>Hello')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      seen: () => seen,
    })
    server.closeAllConnections()
    server.close()
  },
})

/** Headers that an attacker with a stolen cookie can forge. */
const DISGUISES: Record<string, string>[] = [
  {},
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'User-Agent': 'Mozilla/5.0' },
]

test('a program on another port gets the cookie of the browser and can open files with it, and nothing else', async ({
  page,
  gateway,
  account,
  otherPort,
}) => {
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.signIn(account)
  await page.getByRole('button', { name: 'Skip guide' }).click()
  const chat = new ChatPage(page, gateway.url)
  await chat.ready()
  const picture = await page.evaluate(async () => {
    const form = new FormData()
    form.append('file', new File(['a note'], 'note.txt', { type: 'text/plain' }))
    const headers = { 'X-Session-Key': localStorage.getItem('session-key')! }
    const answer = await fetch('/api/v1/files/', { method: 'POST', body: form, headers })
    return ((await answer.json()) as { id: string }).id
  })

  const foreign = await page.context().newPage()
  await foreign.goto(otherPort.url)
  const cookie = otherPort.seen().cookie!
  const token = /token=([^;]+)/.exec(cookie)![1]!
  expect(token).toMatch(/^eyJ/)
  expect(await foreign.evaluate(() => localStorage.getItem('session-key'))).toBeNull()

  const call = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Response> =>
    fetch(gateway.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    })
  const credentials: Record<string, string>[] = [
    { Cookie: cookie },
    { Cookie: cookie, 'X-Session-Key': token },
    { Cookie: cookie, 'X-Session-Key': '' },
    { Authorization: `Bearer ${token}` },
    { Authorization: `Bearer ${token}`, 'X-Session-Key': token },
    { 'x-api-key': token },
  ]
  const calls: [string, string, object?][] = [
    ['GET', '/api/v1/auths/'],
    ['GET', '/api/v1/chats/'],
    ['GET', '/api/v1/chats/export'],
    ['GET', '/api/models'],
    ['GET', '/api/v1/files/'],
    ['GET', '/api/v1/utils/db/download'],
    ['GET', '/oauth/clients/mcp:any/authorize'],
    ['POST', '/api/v1/auths/api_keys', { name: 'stolen' }],
    [
      'POST',
      '/api/v1/auths/update/password',
      { password: account.password, new_password: 'taken over' },
    ],
    [
      'POST',
      '/api/chat/completions',
      { model: 'text', messages: [{ role: 'user', content: 'Hello' }] },
    ],
    ['DELETE', '/api/v1/auths/sessions'],
  ]
  for (const credential of credentials)
    for (const disguise of DISGUISES)
      for (const [method, path, body] of calls) {
        const answer = await call(method, path, { ...credential, ...disguise }, body)
        expect([method, path, credential, answer.status]).toEqual([method, path, credential, 401])
        expect(await answer.text()).not.toContain('eyJ')
      }
  for (const method of ['GET', 'POST'])
    await call(method, '/api/v1/auths/signout', { Cookie: cookie })

  const closed = async (headers: Record<string, string>, frame: object): Promise<number> => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`, { headers })
    socket.once('open', () => socket.send(JSON.stringify(frame)))
    const [code] = (await once(socket, 'close')) as [number]
    return code
  }
  expect(await closed({ Cookie: cookie, Origin: gateway.url }, { type: 'ping' })).toBe(4401)
  expect(await closed({ Cookie: cookie, Origin: gateway.url }, { type: 'auth', token })).toBe(4401)
  expect(await closed({ Authorization: `Bearer ${token}` }, { type: 'auth', key: token })).toBe(
    4401,
  )

  // The remaining access, as described in the threat model.
  const file = await call('GET', `/api/v1/files/${picture}/content`, { Cookie: cookie })
  expect([file.status, await file.text()]).toEqual([200, 'a note'])
  // The user did not notice anything.
  await chat.ask('/echo still signed in')
})

test('the other port cannot read by the pages it shows either: not with the cookie, and not by links and pictures', async ({
  chat,
  otherPort,
}) => {
  await chat.open()
  await send(chat.page.request, `${chat.url}/api/v1/chats/new`, { chat: { title: 'Mine' } })
  const foreign = await chat.page.context().newPage()
  await foreign.goto(otherPort.url)
  const read = await foreign.evaluate(
    (url) =>
      Promise.all(
        ['/api/v1/chats/', '/api/v1/auths/'].map((path) =>
          fetch(url + path, { credentials: 'include' }).then(
            (answer) => answer.text(),
            () => 'refused',
          ),
        ),
      ),
    chat.url,
  )
  expect(read).toEqual(['refused', 'refused'])
  const opened = await foreign.goto(`${chat.url}/api/v1/chats/`)
  expect(opened!.status()).toBe(401)
  expect(await opened!.text()).toContain('sign in on this page')
})

test('windows of one browser share the half of the session, and a page that lost it asks to sign in and gets a new one', async ({
  chat,
  context,
  gateway,
  account,
}) => {
  await chat.open()
  const other = new ChatPage(await context.newPage(), gateway.url)
  await other.open()
  await other.ask('/echo from the second window')
  await chat.page.evaluate(() => localStorage.removeItem('session-key'))
  await chat.page.reload()
  const gate = new SignInPage(chat.page)
  await gate.signIn(account)
  await chat.ready()
  await chat.ask('/echo signed in anew')
  // The second window continues with the key that the first one received.
  await other.ask('/echo and I as well')
})

test('where the browser keeps nothing for the page, signing in says so', async ({
  page,
  gateway,
  account,
}) => {
  await page.addInitScript(() => {
    const setItem = (name: string): void => {
      if (name === 'session-key')
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    Object.defineProperty(Storage.prototype, 'setItem', { value: setItem })
  })
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.signIn(account)
  await expect(gate.problem).toContainText('does not allow this site to store data')
  await expect(gate.signInButton).toBeVisible()
})

test('a new password leaves this window and the others signed in', async ({
  chat,
  settings,
  context,
  gateway,
  account,
}) => {
  const other = new ChatPage(await context.newPage(), gateway.url)
  await other.open()
  await settings.open('account')
  const before = await chat.page.evaluate(() => localStorage.getItem('session-key'))
  await chat.page.getByLabel('Current password').fill(account.password)
  await chat.page.getByLabel('New password', { exact: true }).fill(ADMIN.password)
  await chat.page.getByRole('button', { name: 'Change password' }).click()
  await expect
    .poll(() => chat.page.evaluate(() => localStorage.getItem('session-key')))
    .not.toBe(before)
  await other.ask('/echo still here')
  await chat.open()
  await chat.ask('/echo here too')
})
