import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callAs } from '../accounts.ts'
import { createChat } from '../chat-api.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { openAdminChat } from '../open-chat.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { ChatPage } from '../pages/chat-page.ts'
import type { Troubles } from '../watch-pages.ts'

/** Policies block the attempts of these pages, which is what the specs test. */
test.afterEach(({ troubles }: { troubles: Troubles }) => {
  const outside = troubles.policyViolations.filter(
    (text) =>
      !/in (.*\/frames\/artifact\.html(\?.*)?|about:srcdoc)$/.test(text) &&
      !text.startsWith('frame-src stopped'),
  )
  troubles.policyViolations.length = 0
  expect(outside).toEqual([])
})

/** Starts a server that a page sees as another computer, and records its requests. */
async function startSite() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    if (request.url === '/leave') response.writeHead(302, { location: 'http://127.0.0.1:9/away' })
    else if (request.url?.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
    response.end(request.url === '/lib.js' ? 'window.Lib = { word: "loaded" }' : '"word"')
  })
  server.on('upgrade', (request, socket) => {
    heard.push(`socket ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, heard, close: () => server.close() }
}

const fenced = (code: string): string => `/crumbs Here:\n\n\`\`\`html\n${code}\n\`\`\`\n\nDone.`

const weather = (origin: string): string =>
  [
    '<title>Weather</title>',
    `<script src="${origin}/lib.js"></script>`,
    '<p id="lib"></p><p id="data"></p>',
    '<script>',
    "document.querySelector('#lib').textContent = 'lib ' + window.Lib?.word",
    `fetch('${origin}/data').then((reply) => reply.json()).then((word) => { document.querySelector('#data').textContent = 'data ' + word }, () => { document.querySelector('#data').textContent = 'no data' })`,
    '</script>',
  ].join('\n')

test('an artifact reaches what its reader allowed, which is remembered with the chat and taken back', async ({
  chat,
}) => {
  const site = await startSite()
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  await artifact.open(await chat.ask(fenced(weather(site.origin))), 'page')
  await expect(artifact.frame.locator('#data')).toHaveText('no data')
  await expect(artifact.frame.locator('#lib')).toHaveText('lib undefined')
  expect(site.heard).toEqual([])
  await expect(artifact.problems).toContainText(`It asked for ${site.origin}/lib.js, which it may`)

  await artifact.sheet.getByRole('button', { name: 'Choose what it may reach' }).click()
  const form = artifact.sheet.getByRole('region', { name: 'What may this page reach?' })
  await expect(form).toContainText('on your own computer or network')
  const allow = form.getByRole('button', { name: 'Allow these' })
  await expect(allow).toBeDisabled()
  await form.getByRole('checkbox', { name: site.origin }).check()
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await allow.click()
  await expect(artifact.frame.locator('#lib')).toHaveText('lib loaded')
  await expect(artifact.frame.locator('#data')).toHaveText('data word')
  await expect(artifact.problems).toHaveCount(0)
  await expect(artifact.button('Network of the page: 1 address allowed')).toBeVisible()

  // The permission also applies in a second window, and in this one after a reload.
  const other = new ChatPage(await chat.page.context().newPage(), chat.url)
  const otherArtifact = new ArtifactPage(other.page)
  await other.open(chat.path())
  await otherArtifact.open(other.answers.last(), 'page')
  await expect(otherArtifact.frame.locator('#data')).toHaveText('data word')

  await artifact.button('Network of the page: 1 address allowed').click()
  await form.getByRole('button', { name: 'Take the network away' }).click()
  await expect(artifact.frame.locator('#data')).toHaveText('no data')
  await otherArtifact.button('Run again').click()
  await expect(otherArtifact.frame.locator('#data')).toHaveText('no data')
  await chat.page.reload()
  await chat.ready()
  await artifact.open(chat.answers.last(), 'page')
  await expect(artifact.frame.locator('#data')).toHaveText('no data')
  site.close()
})

test('an artifact that may reach one computer reaches no other one, by whatever way', async ({
  chat,
}) => {
  const [allowed, other] = [await startSite(), await startSite()]
  const heard: string[] = []
  const stun = createSocket('udp4')
  stun.on('message', () => heard.push('a datagram'))
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
  const dial = `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`
  const inner = JSON.stringify(
    `<script>${dial}</script><script src="${allowed.origin}/inside.js"></script>`,
  ).replaceAll('</', String.raw`<\/`)
  const tries: Readonly<Record<string, string>> = {
    allowed: `return await (await fetch('${allowed.origin}/allowed')).text()`,
    fetched: `return await (await fetch('${other.origin}/fetch')).text()`,
    own: `return (await fetch('/api/config')).status`,
    gateway: `return (await fetch('${chat.url}/api/config')).status`,
    led: `return (await fetch('${allowed.origin}/leave')).status`,
    socket: `const s = new WebSocket('${other.origin.replace('http', 'ws')}/socket'); return await new Promise((y, n) => { s.onopen = y; s.onerror = () => n(new Error()) })`,
    imported: `return (await import('${other.origin}/import.js')).default`,
    worker: `const w = new Worker(URL.createObjectURL(new Blob(['fetch("${other.origin}/worker")']))); return await new Promise((y, n) => { w.onmessage = y; w.onerror = () => n(new Error()) })`,
    connection: `${dial}; return 'dialled'`,
    frames: `const f = document.createElement('iframe'); f.srcdoc = ${inner}; document.body.append(f); const g = document.createElement('iframe'); g.src = '${allowed.origin}/frame'; document.body.append(g); return await new Promise((y) => setTimeout(() => y('made'), 1000))`,
    popup: `return window.open('${allowed.origin}/popup')`,
    wider: `const f = document.createElement('iframe'); f.src = location.pathname + '?network=anything'; document.body.append(f); return 'made'`,
  }
  const code = `<form action="${allowed.origin}/form"><button>Send</button></form><output></output><img src="${other.origin}/image"><link rel="stylesheet" href="${other.origin}/css">
<script src="${other.origin}/script.js"></script>
<script>
const results = {}
const attempt = async (name, act) => {
  try { results[name] = String(await act()) } catch (error) { results[name] = 'refused ' + error.name }
}
const all = [${Object.entries(tries)
    .map(([name, body]) => `attempt('${name}', async () => { ${body} })`)
    .join(',\n')}]
Promise.all(all).then(() => { document.querySelector('output').textContent = JSON.stringify(results) })
</script>`
  const artifact = new ArtifactPage(chat.page)
  await chat.open()
  await artifact.open(await chat.ask(fenced(code)), 'page')
  await expect(artifact.frame.locator('output')).toHaveText(/^\{/, { timeout: 20_000 })
  expect([...allowed.heard, ...other.heard]).toEqual([])
  await artifact.button('Network of the page').click()
  const box = artifact.sheet.getByRole('checkbox', { name: allowed.origin })
  await expect(artifact.sheet.getByRole('checkbox', { name: chat.url })).toHaveCount(0)
  await box.check()
  await artifact.sheet.getByRole('button', { name: 'Allow these' }).click()
  const output = artifact.frame.locator('output')
  await expect(output).toHaveText(/^\{/, { timeout: 20_000 })
  const found = JSON.parse((await output.textContent()) ?? '') as Record<string, string>
  expect(found).toMatchObject({ allowed: '"word"', popup: 'null' })
  for (const name of [
    'fetched',
    'own',
    'gateway',
    'led',
    'socket',
    'imported',
    'worker',
    'connection',
  ])
    expect(found[name], name).toMatch(/^refused/)
  // A page may navigate within its frame; the policy of the page around it limits the targets.
  await artifact.frame.getByRole('button', { name: 'Send' }).click()
  await chat.page.waitForTimeout(1000)
  stun.close()
  for (const site of [allowed, other]) site.close()
  expect(heard).toEqual([])
  expect(other.heard).toEqual([])
  expect(allowed.heard.toSorted()).toEqual(['/allowed', '/leave'])
})

test('a sealed gateway lets no artifact out, and says so', async ({ startOwnGateway, page }) => {
  const site = await startSite()
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  await callAs(page)
  await createChat(page.request, gateway.url, 'Weather', {
    question: 'A page?',
    answer: `\`\`\`html\n${weather(site.origin)}\n\`\`\``,
  })
  await chat.chatList.getByRole('link', { name: 'Weather' }).click()
  const artifact = new ArtifactPage(page)
  await artifact.open(chat.answers.last(), 'page')
  await artifact.button('Network of the page').click()
  await artifact.sheet.getByRole('checkbox', { name: site.origin }).check()
  await artifact.sheet.getByRole('button', { name: 'Allow these' }).click()
  await expect(artifact.frame.locator('#data')).toHaveText('data word')

  await page.request.post(`${gateway.url}/api/v1/settings`, {
    headers: { authorization: `Bearer ${gateway.adminToken}` },
    data: { values: { SEALED_MODE: true } },
  })
  const before = site.heard.length
  await artifact.button('Run again').click()
  await expect(artifact.frame.locator('#data')).toHaveText('no data')
  await artifact.button('Network of the page: 1 address allowed').click()
  await artifact.sheet.getByRole('button', { name: 'Allow these' }).click()
  await expect(artifact.sheet.getByRole('alert')).toContainText('offline or sealed mode')
  expect(site.heard.length).toBe(before)
  site.close()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('what a page may reach is chosen by thumb, and long addresses break', async ({ chat }) => {
    const long = `https://${'a-very-long-name.'.repeat(6)}example`
    const artifact = new ArtifactPage(chat.page)
    await chat.open()
    await artifact.open(
      await chat.ask(fenced(`<p>Shown</p><script>const address = '${long}/x'</script>`)),
      'page',
    )
    await artifact.button('Network of the page').tap()
    const box = artifact.sheet.getByRole('checkbox', { name: long })
    await box.tap()
    await expect(box).toBeChecked()
    const width = await artifact.sheet.evaluate((sheet) => sheet.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })
})
