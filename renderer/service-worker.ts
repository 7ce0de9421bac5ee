// Caches the page and its files, so that an installed app opens without the gateway and reports
// that. Data of the gateway is never cached, and the page is cached without an account.

/** Members of a service worker used here. */
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

/** Requests the page without the cookie, so that it contains no data of an account. */
async function install(): Promise<void> {
  const cache = await caches.open(NAME)
  await cache.add(new Request(PAGE, { credentials: 'omit', cache: 'no-store' }))
}

/** Deletes the files of older versions. */
async function forgetOld(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX) && name !== NAME)
      .map((name) => caches.delete(name)),
  )
  await worker.clients.claim()
}

/**
 * Returns the request of the page without a text that another app shares, which stays in the
 * address of the window: it may be longer than a server accepts, and concerns nobody on the way.
 */
function withoutText(request: Request): Request {
  const { origin, pathname, searchParams } = new URL(request.url)
  return origin + pathname === PAGE && searchParams.has('shared')
    ? new Request(PAGE, { credentials: 'same-origin', redirect: 'manual' })
    : request
}

/** Requests the page; returns the cached one if the gateway cannot be reached. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: NAME })
    if (kept) return kept
    throw error
  }
}

/** Names of assets change with their content, so a cached one is never outdated. */
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
  if (request.mode === 'navigate') event.respondWith(openPage(withoutText(request)))
  else if (isAsset(request)) event.respondWith(openAsset(request))
})
