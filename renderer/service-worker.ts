// Keeps the shell of the interface, so that an installed app opens without the gateway and says so.
// What the gateway knows is never kept: only the page without a person, and its own files.

/** The parts of a service worker that are used here. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request
  respondWith(reply: Promise<Response>): void
}
interface WorkerScope {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}
declare const __SHELL_VERSION__: string

const worker = globalThis as unknown as WorkerScope
const PREFIX = 'shell '
const NAME = PREFIX + __SHELL_VERSION__
const PAGE = worker.registration.scope

const isAsset = ({ url }: Request): boolean => url.startsWith(`${PAGE}assets/`)

/** The page is asked for without the cookie: nothing of a person comes with it. */
async function install(): Promise<void> {
  const cache = await caches.open(NAME)
  await cache.add(new Request(PAGE, { credentials: 'omit', cache: 'no-store' }))
}

/** Files of older versions are of no use to anybody. */
async function forgetOld(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX) && name !== NAME)
      .map((name) => caches.delete(name)),
  )
  await worker.clients.claim()
}

/** The gateway first; without it the page that was kept. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: NAME })
    if (kept) return kept
    throw error
  }
}

/** Their names change with their content, so what was kept is never outdated. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(NAME)
  const kept = await cache.match(request)
  if (kept) return kept
  const reply = await fetch(request)
  if (reply.ok && reply.status === 200) await cache.put(request, reply.clone())
  return reply
}

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(forgetOld()))
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(openPage(request))
  else if (isAsset(request)) event.respondWith(openAsset(request))
})
