import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'node:tls'
import { chromium, type Browser, type Page } from '@playwright/test'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { findSidewaysScrolling, findSmallTargets } from '../find-small-targets.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { SharingPage } from '../pages/sharing-page.ts'
import { VIEWS } from '../views.ts'

/** Only an address that every machine has; a network is not needed to test what devices see. */
const SHARED = { SHARING_ADDRESSES: '127.0.0.1' }
const PHONE = { width: 390, height: 780 }
const ON_ITS_SIDE = { width: 780, height: 390 }

/**
 * Opens the browser of a guest's phone, which was told to proceed to the URL despite the
 * certificate.
 */
async function openPhone(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    ignoreHTTPSErrors: true,
  })
  const page = await context.newPage()
  await page.goto(link)
  return page
}

const countWorkers = (page: Page): Promise<number> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)

test('the gateway is shared by one switch, which shows where and what devices will say', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway(SHARED)
  await settleIn(page.context(), gateway, ADMIN)
  const sharing = new SharingPage(page, gateway.url)
  await sharing.open()
  await expect(page.getByRole('button', { name: 'Invite a guest' })).toBeDisabled()
  await sharing.turnOn()
  const address = await sharing.address()
  await expect(page.getByRole('img', { name: `QR code for ${address}` })).toBeVisible()
  await page.getByText('Security details').click()
  await expect(page.getByText(/^([\dA-F]{2}:){31}[\dA-F]{2}$/).first()).toBeVisible()
  await page.getByLabel('Ends after').selectOption({ label: '4 hours' })
  await expect(page.getByText('Ends by itself:')).toBeVisible()
  for (const step of [
    'iPhone and iPad',
    'Android',
    'Other computers',
    'If the other device finds nothing',
  ])
    await page.getByText(step, { exact: true }).click()
  await expect(page.getByText('Certificate Trust Settings')).toBeVisible()
  await expect(page.getByText('ufw allow')).toBeVisible()
  const authority = await page.request.get(`${gateway.url}/api/v1/sharing/authority.crt`)
  expect(authority.headers()['content-type']).toBe('application/x-x509-ca-cert')
  for (const { width, schemes } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, schemes)
    expect(await findSidewaysScrolling(page)).toEqual([])
  }
  const phone = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true })
  await settleIn(phone, gateway, ADMIN)
  const onPhone = new SharingPage(await phone.newPage(), gateway.url)
  await onPhone.open()
  for (const viewport of [PHONE, ON_ITS_SIDE]) {
    await onPhone.page.setViewportSize(viewport)
    expect(await findSidewaysScrolling(onPhone.page)).toEqual([])
    expect(await findSmallTargets(onPhone.page)).toEqual([])
  }
  await sharing.turnOff()
  await expect(page.getByText('Open on the other device')).toHaveCount(0)
})

test('a guest comes in by a link without a form, sees nothing of the host, and is gone when the host says so', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway(SHARED)
  await settleIn(page.context(), gateway, ADMIN)
  const sharing = new SharingPage(page, gateway.url)
  await sharing.open()
  await sharing.turnOn()
  const link = await sharing.invite({ name: 'Visitor', models: ['text'], hours: 2, messages: 3 })

  const phone = await openPhone(browser, link)
  const chat = new ChatPage(phone, new URL(link).origin)
  await chat.ready()
  expect(phone.url()).not.toContain('guest')
  await expect(phone.getByText('3 messages are left.')).toBeVisible()
  await expect(phone.getByText('Your chats are deleted at the end.')).toBeVisible()
  await chat.send('Hello from the sofa')
  await expect(chat.answers.first()).toContainText('Hello from the scripted model.')
  await expectAccessible(phone, ['dark', 'light'])
  expect(await findSidewaysScrolling(phone)).toEqual([])
  expect(await findSmallTargets(phone)).toEqual([])
  await phone.setViewportSize(ON_ITS_SIDE)
  expect(await findSidewaysScrolling(phone)).toEqual([])
  await expect(chat.composer).toBeInViewport()
  await phone.goto(`${chat.url}/settings/users`)
  await expect(phone.getByRole('heading', { name: 'Appearance' })).toBeVisible()
  await phone.goto(`${chat.url}/`)
  await chat.ready()

  const thief = await openPhone(browser, link)
  await expect(thief.getByText('in use on another device')).toBeVisible()
  await expect(thief.getByLabel('Email')).toBeVisible()

  await expect(page.getByText('In use', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Devices' })).toContainText('Visitor')
  // Without a trusted certificate the browser registers no service worker, and so offers no
  // installation.
  expect(await countWorkers(phone)).toBe(0)
  await page.getByRole('button', { name: 'End pass of Visitor' }).click()
  await page.getByRole('button', { name: 'End', exact: true }).last().click()
  await expect(phone.getByText('Your guest pass has ended')).toBeVisible({ timeout: 2000 })
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  expect(gateway.log()).not.toContain(link.split('=')[1])
})

/** Starts the browser of a phone whose owner trusts the certificate of a URL. */
async function launchTrusting(address: string): Promise<Browser> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const key = socket.getPeerX509Certificate()!.publicKey.export({ type: 'spki', format: 'der' })
  socket.destroy()
  const { executablePath, args = [] } = test.info().project.use.launchOptions ?? {}
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      ...args,
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
    ],
  })
}

/** Returns the URLs of the UI files that a browser has cached. */
const listKept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })

test('an installed app opens without the gateway, keeps nothing of a person, and forgets all at sign-out', async ({
  page,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway(SHARED)
  await settleIn(page.context(), gateway, ADMIN)
  const sharing = new SharingPage(page, gateway.url)
  await sharing.open()
  await sharing.turnOn()
  const address = await sharing.address()
  const browser = await launchTrusting(address)
  const phone = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true })
  await phone.goto(address)
  const signIn = async (): Promise<void> => {
    await phone.getByLabel('Email').fill(ADMIN.email)
    await phone.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await new ChatPage(phone, address).ready()
  }
  await signIn()
  await expect.poll(() => countWorkers(phone)).toBe(1)
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await phone.reload()
  await new ChatPage(phone, address).ready()
  await expect.poll(() => listKept(phone)).toContain('/')
  const kept = await listKept(phone)
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
  expect(kept.some((path) => path.startsWith('/assets/'))).toBe(true)

  await phone.goto(`${address}/?shared=Look&shared=https%3A%2F%2Fexample.org`)
  await expect(new ChatPage(phone, address).composer).toHaveValue('Look\nhttps://example.org')
  // Longer than the gateway accepts as an address.
  const long = 'word '.repeat(30_000).trim()
  await phone.goto(`${address}/?shared=${encodeURIComponent(long)}`)
  await expect(new ChatPage(phone, address).composer).toHaveValue(
    `Look\nhttps://example.org\n\n${long}`,
  )

  await gateway.crash()
  await phone.goto(address)
  await expect(phone.getByText('The gateway is not responding')).toBeVisible()

  await gateway.restart()
  await phone.getByRole('button', { name: 'Retry' }).click()
  await new ChatPage(phone, address).ready()
  await phone.goto(`${address}/settings/account`)
  await phone.getByRole('button', { name: 'Sign out' }).click()
  await phone.getByLabel('Email').waitFor()
  await expect.poll(() => listKept(phone)).toEqual([])
  expect(await countWorkers(phone)).toBe(0)

  await phone.goto(`${address}/?shared=While%20signed%20out`)
  await signIn()
  await expect(new ChatPage(phone, address).composer).toHaveValue('While signed out')
  await browser.close()
})

const WORKER = path.join(import.meta.dirname, '../../out/renderer/service-worker.js')

/** Makes the gateway serve another version of the service worker, as after an update. */
async function withNewerWorker(use: () => Promise<void>): Promise<void> {
  const code = readFileSync(WORKER, 'utf8')
  writeFileSync(WORKER, `${code}\n// newer\n`)
  try {
    await use()
  } finally {
    writeFileSync(WORKER, code)
  }
}

test('a page that was kept offers the newer version, and changes only when it is pressed', async ({
  page,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway(SHARED)
  await settleIn(page.context(), gateway, ADMIN)
  const sharing = new SharingPage(page, gateway.url)
  await sharing.open()
  await sharing.turnOn()
  const address = await sharing.address()
  const browser = await launchTrusting(address)
  const phone = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true })
  // Opened by http, the phone is redirected to https.
  await phone.goto(address.replace('https', 'http'))
  expect(new URL(phone.url()).origin).toBe(address)
  await phone.getByLabel('Email').fill(ADMIN.email)
  await phone.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await new ChatPage(phone, address).ready()
  await expect.poll(() => countWorkers(phone)).toBe(1)
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await phone.reload()
  const chat = new ChatPage(phone, address)
  await chat.ready()
  await withNewerWorker(async () => {
    await phone.reload()
    await chat.ready()
    const reload = phone.getByRole('button', { name: 'Reload' })
    await expect(reload).toBeVisible({ timeout: 40_000 })
    await phone.screenshot({ path: 'out/test-results/sharing-newer-version.png' })
    await chat.composer.fill('Half a sentence')
    await phone.evaluate(() => Object.assign(globalThis, { isBefore: true }))
    await reload.click()
    await expect
      .poll(() => phone.evaluate(() => 'isBefore' in globalThis).catch(() => true))
      .toBe(false)
    await chat.ready()
    await expect(chat.composer).toHaveValue('Half a sentence')
  })
  await browser.close()
})
