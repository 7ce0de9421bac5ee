import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'node:tls'
import type { Page } from '@playwright/test'
import { ADMIN } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FilesPage } from '../pages/files-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'
import {
  findPort,
  readExample,
  startCaddy,
  startIdentityProvider,
  startNginx,
  withAddresses,
  type RunningProxy,
} from '../start-proxy.ts'

test.use({ ignoreHTTPSErrors: true })
test.setTimeout(120_000)
test.skip(process.platform !== 'linux', 'The proxies come from the packages of Debian.')

const REPORT = {
  name: 'report.pdf',
  mimeType: 'application/pdf',
  buffer: readFileSync(
    path.join(import.meta.dirname, '../../server/retrieval/extraction/fixtures/report.pdf'),
  ),
}
const HEADERS = {
  WEBUI_AUTH_TRUSTED_EMAIL_HEADER: 'Remote-Email',
  WEBUI_AUTH_TRUSTED_NAME_HEADER: 'Remote-Name',
  WEBUI_AUTH_TRUSTED_GROUPS_HEADER: 'Remote-Groups',
  WEBUI_AUTH_TRUSTED_ROLE_HEADER: 'Remote-Role',
}
const PEOPLE = {
  ada: {
    'X-Auth-Request-Email': 'ada@example.org',
    'X-Auth-Request-Preferred-Username': 'Ada%20Lovelace',
    'X-Auth-Request-Role': 'admin',
    'X-Auth-Request-Groups': 'Nowhere',
  },
  eve: { 'X-Auth-Request-Email': 'eve@example.org', 'X-Auth-Request-Role': 'user' },
}
const hasCaddy = spawnSync('caddy', ['version']).status === 0

const hostOf = (url: string): string => new URL(url).host

/** Changes the user as whom the identity provider recognises the browser. */
const becomes = (page: Page, name: string, url: string) =>
  page.context().addCookies([{ name: 'who', value: name, url }])

/** Records requests outside the path of the proxy, and failed ones. */
function watchPath(page: Page, base: string): string[] {
  const wrong: string[] = []
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol.startsWith('http') && !pathname.startsWith(base))
      wrong.push(`${request.method()} ${pathname}`)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname !== `${base}ws`) wrong.push(`socket ${socket.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && response.status() !== 401)
      wrong.push(`${response.status()} ${response.url()}`)
  })
  return wrong
}

/**
 * Uses all parts of the UI: answers over the socket, pictures, frames, files, reloads and other
 * pages.
 */
async function useInterface(page: Page, url: string): Promise<void> {
  const chat = new ChatPage(page, url)
  await chat.ready()
  await expect(await chat.ask('/slow 10')).toContainText('word10')
  await page.reload()
  await chat.ready()
  await expect(chat.answers.last()).toContainText('word10')
  expect(page.url()).toContain(`${url}/c/`)
  // A frame, a call that continues after the answer, and files by byte ranges.
  const drawn = await chat.ask(
    '/crumbs Look:\n\n```mermaid\ngraph TD; Start-->Finish\n```\n\nThat was it.',
  )
  await expect(drawn.frameLocator('iframe[title="Diagram"]').locator('svg')).toContainText('Finish')
  const artifact = new ArtifactPage(page)
  await artifact.open(
    await chat.ask(
      '/crumbs ```html\n<h1>Below a path</h1><script>document.body.append("ran")</script>\n```',
    ),
    'page',
  )
  await expect(artifact.body()).toHaveText('Below a pathran')
  await artifact.button('Close').click()
  const files = new FilesPage(page, url)
  await files.open()
  await expect(page.getByText('No files yet')).toBeVisible()
  const plan = {
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Flour first, then water.'),
  }
  await page.getByTestId('add-files').setInputFiles([plan, REPORT])
  for (const file of [plan, REPORT]) await expect(files.row(file.name)).toBeVisible()
  // A document is read in a separate process, which takes long on a busy machine.
  await expect(files.list.getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 })
  await files.row('report.pdf').getByRole('button', { name: 'report.pdf', exact: true }).click()
  await expect(files.dialog.locator('.pdf-page canvas').first()).toBeVisible()
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await files.act('plan.txt', 'Download')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe('Flour first, then water.')
  await page.goto(`${url}/settings/about`)
  await expect(page.getByText(url, { exact: true })).toBeVisible()
  await page.goto(`${url}/workspace/models`)
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible()
}

interface Places {
  readonly gateway: string
  readonly port: number
  readonly provider?: number
}

const inNginx = (example: string, { gateway, port, provider }: Places): string =>
  withAddresses(example, {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '127.0.0.1:8642': hostOf(gateway),
    ...(provider !== undefined && {
      '127.0.0.1:4180': `127.0.0.1:${provider}`,
      'https://login.example.org': `http://127.0.0.1:${provider}`,
    }),
  })

const inCaddy = (example: string, { gateway, port, provider }: Places): string =>
  withAddresses(example.replace(/^(chat\.)?example\.org \{/m, `https://127.0.0.1:${port} {`), {
    '127.0.0.1:8642': hostOf(gateway),
    ...(provider !== undefined && { '127.0.0.1:4180': `127.0.0.1:${provider}` }),
  })

const PROXIES = [
  { name: 'nginx', isThere: true, start: startNginx, language: 'nginx', into: inNginx },
  { name: 'Caddy', isThere: hasCaddy, start: startCaddy, language: 'caddyfile', into: inCaddy },
] as const

for (const { name, isThere, start, language, into } of PROXIES) {
  test.describe(`behind ${name}, set up as the documentation says`, () => {
    test.skip(!isThere, `${name} is not installed.`)
    let proxy: RunningProxy | undefined
    test.afterEach(async () => {
      await proxy?.stop()
      proxy = undefined
    })

    test('the whole interface works over TLS, sockets included', async ({
      page,
      startOwnGateway,
    }) => {
      const port = await findPort()
      const url = `https://127.0.0.1:${port}`
      const gateway = await startOwnGateway({ WEBUI_URL: url })
      proxy = await start(into(readExample(language, 0), { gateway: gateway.url, port }), port)
      const wrong = watchPath(page, '/')
      const gate = new SignInPage(page)
      await gate.open(url)
      await gate.signIn(ADMIN)
      await new FirstRunPage(page).skip()
      await useInterface(page, url)
      const cookies = await page.context().cookies(url)
      expect(cookies.find((cookie) => cookie.name === 'token')).toMatchObject({
        secure: true,
        httpOnly: true,
      })
      expect(wrong).toEqual([])
    })

    test('the whole interface works below a path', async ({ page, startOwnGateway }) => {
      const port = await findPort()
      const url = `https://127.0.0.1:${port}/chat`
      const gateway = await startOwnGateway({ WEBUI_URL: url })
      const example = readExample(language, 1)
      const whole =
        language === 'nginx'
          ? `${readExample('nginx', 0).split('server {')[0]!} server { listen 443 ssl; ssl_certificate /etc/ssl/chat.example.org.pem; ` +
            `ssl_certificate_key /etc/ssl/chat.example.org.key; ${example} }`
          : example
      proxy = await start(into(whole, { gateway: gateway.url, port }), port)
      const wrong = watchPath(page, '/chat/')
      const gate = new SignInPage(page)
      await gate.open(`${url}/`)
      await gate.signIn(ADMIN)
      await new FirstRunPage(page).skip()
      await useInterface(page, url)
      const device = (await page.context().cookies(`${url}/api/v1/auths/signin`)).find((cookie) =>
        cookie.name.startsWith('device-'),
      )
      expect(device?.path).toBe('/chat/api/v1/auths')
      expect(wrong).toEqual([])
    })

    test('people are signed in by the proxy, without a form', async ({ page, startOwnGateway }) => {
      const port = await findPort()
      const url = `https://127.0.0.1:${port}`
      const provider = await startIdentityProvider(PEOPLE)
      try {
        const signOut = `http://127.0.0.1:${provider.port}/signed-out`
        const environment = { ...HEADERS, WEBUI_URL: url, WEBUI_AUTH_SIGNOUT_REDIRECT_URL: signOut }
        const gateway = await startOwnGateway(environment, { isEmpty: true })
        proxy = await start(
          into(readExample(language, 2), { gateway: gateway.url, port, provider: provider.port }),
          port,
        )
        // No request gets past the provider, whatever it contains.
        const forged = { 'Remote-Email': 'ada@example.org', 'Remote-Role': 'admin' }
        const refused = await page.context().request.get(`${url}/api/models`, {
          headers: forged,
          maxRedirects: 0,
          failOnStatusCode: false,
        })
        expect([302, 401]).toContain(refused.status())

        await becomes(page, 'ada', url)
        await page.goto(url)
        await new FirstRunPage(page).skip()
        await useInterface(page, url)
        await page.goto(`${url}/settings/account`)
        await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
        await expect(page.getByText('ada@example.org')).toHaveCount(0)
        await expect(page.getByLabel('Email', { exact: true })).toHaveValue('ada@example.org')
        await expect(page.getByLabel('Current password')).toHaveCount(0)

        // The provider recognises another user now, and forged headers do not change that.
        await becomes(page, 'eve', url)
        await page
          .context()
          .setExtraHTTPHeaders({ 'Remote-Role': 'admin', 'Remote-Name': 'Forged' })
        await page.reload()
        await new FirstRunPage(page).skip()
        await page.goto(`${url}/settings/account`)
        await expect(page.getByLabel('Email', { exact: true })).toHaveValue('eve@example.org')
        await expect(page.getByLabel('Name', { exact: true })).toHaveValue('eve@example.org')
        await expect(page.getByText('Administrator', { exact: true })).toHaveCount(0)

        await page.getByRole('button', { name: 'Sign out', exact: true }).click()
        await page.waitForURL(signOut)
      } finally {
        provider.stop()
      }
    })
  })
}

/**
 * Sends bytes unchanged over TLS; returns the status and the body, with status 0 for a closed
 * connection.
 */
function sendRaw(
  port: number,
  lines: readonly string[],
  body = '',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    // The socket is not half-closed, as proxies cancel calls whose client has disconnected.
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
    )
    socket.setTimeout(5000, () => socket.destroy())
    let text = ''
    socket.on('data', (part: Buffer) => (text += part.toString()))
    socket.once('error', () => undefined)
    socket.once('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body: rest.join('') })
    })
  })
}

for (const { name, isThere, start, language, into } of PROXIES) {
  test(`${name} and the gateway together believe no header a browser smuggles`, async ({
    startOwnGateway,
  }) => {
    test.skip(!isThere, `${name} is not installed.`)
    const port = await findPort()
    const provider = await startIdentityProvider(PEOPLE)
    const gateway = await startOwnGateway({ ...HEADERS, WEBUI_URL: `https://127.0.0.1:${port}` })
    const proxy = await start(
      into(readExample(language, 2), { gateway: gateway.url, port, provider: provider.port }),
      port,
    )
    try {
      const body = '{"email":"","password":""}'
      const signIn = (...headers: string[]) =>
        sendRaw(
          port,
          [
            'POST /api/v1/auths/signin HTTP/1.1',
            `Host: 127.0.0.1:${port}`,
            'Cookie: who=eve',
            'Content-Type: application/json',
            `Content-Length: ${body.length}`,
            'Connection: close',
            ...headers,
          ],
          body,
        )
      const attempts = [
        ['Remote-Email: ada@example.org', 'Remote-Role: admin'],
        ['remote-email: ada@example.org', 'REMOTE-ROLE: admin'],
        ['Remote_Email: ada@example.org', 'Remote_Role: admin'],
        ['Remote-Email: ada@example.org', 'Remote-Email: ada@example.org'],
        ['Remote-Email : ada@example.org'],
        ['X: 1\r\n Remote-Email: ada@example.org'],
        ['X: 1\rRemote-Email: ada@example.org'],
        ['X: 1\nRemote-Email: ada@example.org'],
        ['X-Auth-Request-Email: ada@example.org', 'X-Auth-Request-Role: admin'],
        [
          'X-Forwarded-For: 127.0.0.1',
          'Forwarded: for=127.0.0.1',
          'X-Real-IP: 127.0.0.1',
          'Remote-Email: ada@example.org',
        ],
        ['Transfer-Encoding: chunked'],
      ]
      // Its certificate may still be being issued.
      await expect.poll(async () => (await signIn()).status).toBe(200)
      const outcomes: string[] = []
      for (const headers of attempts) {
        const { status, body: reply } = await signIn(...headers)
        const [, email, role] = /"email":"([^"]*)".*"role":"(\w+)"/.exec(reply) ?? []
        outcomes.push(status === 200 ? `${email} ${role}` : 'refused')
      }
      expect(new Set(outcomes)).toEqual(new Set(['eve@example.org user', 'refused']))
      expect(outcomes[0]).toBe('eve@example.org user')
    } finally {
      await proxy.stop()
      provider.stop()
    }
  })
}
