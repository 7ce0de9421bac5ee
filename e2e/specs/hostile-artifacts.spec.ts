import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../fixtures.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import type { ChatPage } from '../pages/chat-page.ts'
import type { Troubles } from '../watch-pages.ts'

/** Policies block the attempts of these pages, which is what the specs test. */
test.afterEach(({ troubles }: { troubles: Troubles }) => {
  const outside = troubles.policyViolations.filter(
    (text) =>
      !/in (.*\/frames\/artifact\.html|about:srcdoc)$/.test(text) &&
      !text.startsWith('frame-src stopped'),
  )
  troubles.policyViolations.length = 0
  expect(outside).toEqual([])
})

async function run(chat: ChatPage, html: string, kind = 'page'): Promise<ArtifactPage> {
  const artifact = new ArtifactPage(chat.page)
  const language = kind === 'page' ? 'html' : 'tsx'
  const answer = await chat.ask(`/crumbs \`\`\`${language}\n${html}\n\`\`\``)
  await artifact.open(answer, kind)
  return artifact
}

/** Tries everything, and writes the results into the page. */
const attempts = (tries: Readonly<Record<string, string>>): string => `<output></output>
<script>
const results = {}
const attempt = async (name, act) => {
  try { results[name] = String(await act()) } catch (error) { results[name] = 'refused ' + error.name }
}
const all = [${Object.entries(tries)
  .map(([name, body]) => `attempt(${JSON.stringify(name)}, async () => { ${body} })`)
  .join(',\n')}]
Promise.all(all).then(() => { document.querySelector('output').textContent = JSON.stringify(results) })
</script>`

async function resultsOf(artifact: ArtifactPage): Promise<Record<string, string>> {
  const output = artifact.frame.locator('output')
  await expect(output).toHaveText(/^\{/, { timeout: 20_000 })
  return JSON.parse((await output.textContent()) ?? '') as Record<string, string>
}

test('an artifact reaches neither cookies, storage, the page around it, nor another window', async ({
  chat,
}) => {
  await chat.open()
  await chat.page.evaluate(() => localStorage.setItem('secret', 'of the page'))
  const artifact = await run(
    chat,
    attempts({
      origin: 'return self.origin',
      cookie: 'return document.cookie',
      parentDocument: 'return parent.document.title',
      topDocument: 'return top.document.title',
      opener: 'return opener',
      storage: "return localStorage.getItem('secret')",
      database: "return indexedDB.open('x')",
      caches: "return await caches.open('x')",
      serviceWorker: "return await navigator.serviceWorker.register('/service-worker.js')",
      topNavigation: "top.location = 'about:blank#gone'; return 'went'",
      popup: "return window.open('about:blank')",
      clipboard: 'return await navigator.clipboard.readText()',
      camera: 'return await navigator.mediaDevices.getUserMedia({ audio: true })',
      sibling: 'return parent[0].document.title + parent[1].document.title',
      policy: "return SecurityPolicyViolationEvent.prototype.hasOwnProperty('originalPolicy')",
      nonce:
        "return String(document.querySelector('script').nonce) + document.querySelector('script').getAttribute('nonce')",
    }),
  )
  const found = await resultsOf(artifact)
  expect(found).toMatchObject({
    origin: 'null',
    cookie: 'refused SecurityError',
    parentDocument: 'refused SecurityError',
    topDocument: 'refused SecurityError',
    opener: 'null',
    storage: 'null',
    popup: 'null',
    policy: 'false',
    nonce: 'undefinednull',
  })
  for (const name of [
    'database',
    'caches',
    'serviceWorker',
    'clipboard',
    'camera',
    'sibling',
    'topNavigation',
  ])
    expect(found[name], name).toMatch(/^refused/)
  expect(chat.page.url()).toContain('/c/')
  expect(chat.page.context().pages()).toHaveLength(1)
})

test('nothing of an artifact leaves the frame, by whatever way', async ({ chat }) => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    response.end('export default 1')
  })
  server.on('connection', () => heard.push('a connection'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stun = createSocket('udp4')
  stun.on('message', () => heard.push('a datagram'))
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
  const http = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const call = `new (window.RTCPeerConnection)({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })`
  const dial = `const c = ${call}; c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`
  const inside = `<script>${dial}</script><img src=x onerror="${dial}">`
  // A script of a page must not contain a closing script tag.
  const inner = JSON.stringify(inside).replaceAll('</', String.raw`<\/`)
  await chat.open()
  const artifact = await run(
    chat,
    `<link rel="stylesheet" href="http://${http}/css"><link rel="preconnect" href="//${http}">
<link rel="prefetch" href="http://${http}/prefetch"><link rel="dns-prefetch" href="//${http}">
<link rel="modulepreload" href="http://${http}/module"><link rel="icon" href="http://${http}/icon">
<style>@import 'http://${http}/import'; body { background: url(http://${http}/background) }
@font-face { font-family: f; src: url(http://${http}/font) } body { font-family: f }</style>
<img src="http://${http}/image" srcset="http://${http}/srcset 2x"><video src="http://${http}/video" poster="http://${http}/poster"></video>
<iframe src="http://${http}/frame"></iframe><object data="http://${http}/object"></object><embed src="http://${http}/embed">
<script src="http://${http}/script"></script>
<script type="module">import 'http://${http}/static-import'</script>
<a id="link" href="http://${http}/link" ping="http://${http}/ping">link</a>
${attempts({
  fetched: `return (await fetch('http://${http}/fetch')).status`,
  own: `return (await fetch('/api/models')).status`,
  xhr: `const x = new XMLHttpRequest(); x.open('GET', 'http://${http}/xhr', false); x.send(); return x.status`,
  imported: `return (await import('http://${http}/import')).default`,
  socket: `const s = new WebSocket('ws://${http}/socket'); return await new Promise((y, n) => { s.onopen = y; s.onerror = () => n(new Error()) })`,
  events: `const s = new EventSource('http://${http}/events'); return await new Promise((y, n) => { s.onopen = y; s.onerror = () => n(new Error()) })`,
  beacon: `navigator.sendBeacon('http://${http}/beacon', 'x'); return 'sent'`,
  worker: `const w = new Worker(URL.createObjectURL(new Blob(['fetch("http://${http}/worker")']))); return await new Promise((y, n) => { w.onmessage = y; w.onerror = () => n(new Error()) })`,
  connection: `${dial}; return 'dialled'`,
  script: `const s = document.createElement('script'); s.src = 'http://${http}/dynamic'; return await new Promise((y, n) => { s.onload = y; s.onerror = () => n(new Error()); document.body.append(s) })`,
  frames: `const f = document.createElement('iframe'); f.srcdoc = ${inner}; document.body.append(f); const g = document.createElement('iframe'); g.src = ${JSON.stringify(`javascript:void(${call})`)}; document.body.append(g); return await new Promise((y) => setTimeout(() => y('made'), 1500))`,
  borrowed: `const f = document.createElement('iframe'); document.body.append(f); return typeof f.contentWindow.RTCPeerConnection`,
})}`,
  )
  const found = await resultsOf(artifact)
  for (const name of [
    'fetched',
    'own',
    'xhr',
    'imported',
    'socket',
    'events',
    'worker',
    'connection',
    'script',
    'borrowed',
  ])
    expect(found[name], name).toMatch(/^refused/)
  // A page may navigate within its frame; the policy of the page around it limits the targets.
  await artifact.frame.locator('#link').click()
  const form = await run(
    chat,
    `<form action="http://${http}/form" method="post"><input name="a" value="b"><button>Send</button></form>`,
  )
  await form.frame.getByRole('button', { name: 'Send' }).click()
  await chat.page.waitForTimeout(1500)
  server.close()
  stun.close()
  expect(heard).toEqual([])
})

test('nothing of a page a tool attached leaves its frame', async ({ chat }) => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end()
  })
  server.on('connection', () => heard.push('a connection'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stun = createSocket('udp4')
  stun.on('message', () => heard.push('a datagram'))
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
  const http = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const dial = `const C = window.RTCPeerConnection ?? window.webkitRTCPeerConnection; const c = new C({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`
  const inner = JSON.stringify(`<script>${dial}</script>`).replaceAll('</', String.raw`<\/`)
  const html = `<p id="state">waiting</p><img src="http://${http}/image" onerror="try { ${dial.replaceAll('"', '&quot;')} } catch {}">
<script>const f = document.createElement('iframe'); f.srcdoc = ${inner}; document.body.append(f)</script>
<script>fetch('http://${http}/fetch').catch(() => document.body.append('no fetch '))</script>
<script>try { ${dial}; document.body.append('dialled') } catch { document.body.append('no connection ') }</script>
<script>document.querySelector('#state').textContent = 'ran'</script>`
  const question = { id: 'q1', role: 'user', content: 'Show', parentId: null, childrenIds: ['a1'] }
  const answer = { id: 'a1', role: 'assistant', content: 'So', parentId: 'q1', childrenIds: [] }
  const messages = { q1: question, a1: { ...answer, embeds: [html] } }
  const created = await chat.page.request.post(`${chat.url}/api/v1/chats/new`, {
    data: { chat: { title: 'Attached', history: { currentId: 'a1', messages } } },
  })
  await chat.open(`/c/${((await created.json()) as { id: string }).id}`)
  const frame = chat.page.frameLocator('iframe[title="Embedded content 1"]')
  await expect(frame.locator('#state')).toHaveText('ran')
  await expect(frame.locator('body')).toContainText('no connection')
  await expect(frame.locator('body')).toContainText('no fetch')
  await chat.page.waitForTimeout(1500)
  server.close()
  stun.close()
  expect(heard).toEqual([])
})

test('a frame inside an artifact runs nothing', async ({ chat }) => {
  await chat.open()
  const inner = `<script>top.postMessage("canary", "*")</script><img src=x onerror='top.postMessage("canary", "*")'>`
  await chat.page.evaluate(() => {
    addEventListener('message', ({ data }) => {
      if (data === 'canary') document.documentElement.dataset.canary = 'dead'
    })
  })
  const artifact = await run(
    chat,
    `<p>Shown</p><iframe srcdoc="${inner.replaceAll('"', '&quot;')}"></iframe><iframe src="javascript:top.postMessage('canary','*')"></iframe>
<script>const s = document.currentScript.cloneNode(); s.textContent = "top.postMessage('from a script', '*')"; document.body.append(s)</script>`,
  )
  await expect(artifact.frame.getByText('Shown')).toBeVisible()
  await chat.page.waitForTimeout(1000)
  expect(await chat.page.evaluate(() => document.documentElement.dataset.canary)).toBeUndefined()
})

test('an endless loop leaves the page as it is, and Stop ends it', async ({ chat }) => {
  await chat.open()
  const artifact = await run(
    chat,
    '<p>Shown</p><script>setTimeout(() => { for (;;); }, 3000)</script>',
  )
  await expect(artifact.frame.getByText('Shown')).toBeVisible()
  await chat.page.waitForTimeout(3200)
  const worst = await chat.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let longest = 0
        let last = performance.now()
        const clock = setInterval(() => {
          const now = performance.now()
          longest = Math.max(longest, now - last)
          last = now
        }, 20)
        setTimeout(() => {
          clearInterval(clock)
          resolve(longest)
        }, 2000)
      }),
  )
  console.log(`longest wait of the page beside an endless loop: ${Math.round(worst)} ms`)
  expect(worst).toBeLessThan(1000)
  await expect(artifact.sheet.getByText('The page does not answer.')).toBeVisible({
    timeout: 15_000,
  })
  await artifact.button('Stop the page').first().click()
  await expect(artifact.sheet.locator('iframe')).toHaveCount(0)
  await chat.ask('/echo still here')
})

test('messages of an artifact are no orders: forged ones do nothing, too many end it', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/crumbs ```mermaid\nflowchart LR\n  A-->B\n```')
  const artifact = await run(
    chat,
    `<p>Shown</p><script>
const orders = [
  { type: 'execute', data: { code: 'document.title = "taken"' } },
  { type: 'drawn', width: 1, height: 9999, svg: '<svg id="forged"/>' },
  { type: 'from', session: 'x', report: { type: 'ended' } },
  { type: 'events', data: { type: 'chat:title', data: 'taken' } },
  { type: 'problem', kind: 'error', text: '<img src=x onerror=alert(1)>', line: 1 },
]
for (const order of orders) {
  parent.postMessage(order, '*')
  for (let at = 0; at < parent.length; at += 1) if (parent[at] !== self) parent[at].postMessage({ type: 'draw', source: 'flowchart LR\\n  Forged-->Order' }, '*')
}
</script>`,
  )
  await expect(artifact.problems).toContainText('<img src=x onerror=alert(1)>')
  await expect(artifact.sheet.locator('img')).toHaveCount(0)
  expect(await chat.page.title()).not.toContain('taken')
  await expect(chat.page.locator('#forged')).toHaveCount(0)
  const diagram = chat.answers.first().frameLocator('iframe')
  await expect(diagram.locator('svg')).not.toContainText('Forged', { timeout: 20_000 })

  const flood = await run(
    chat,
    '<p>Flood</p><script>setInterval(() => { for (let count = 0; count < 500; count += 1) parent.postMessage({ type: "alive", more: "x".repeat(1000) }, "*") }, 1)</script>',
  )
  await expect(
    flood.sheet.getByText('The page sent too many messages and was stopped.'),
  ).toBeVisible({ timeout: 20_000 })
  await chat.ask('/echo still here')
})

test('a page that leaves for another document of the gateway is stopped', async ({ chat }) => {
  await chat.open()
  const artifact = await run(
    chat,
    '<p>Shown</p><script>setTimeout(() => { location.href = "./artifact.html" }, 500)</script>',
  )
  await expect(
    artifact.sheet.getByText('The page tried to go elsewhere and was stopped.'),
  ).toBeVisible()
  await expect(artifact.sheet.locator('iframe')).toHaveCount(0)
})
