import { desktop } from '../lib/desktop.ts'
import { translate } from '../lib/i18n.ts'
import { withBase } from '../lib/base-path.ts'
import { toast } from '../ui/toast.tsx'
import { trustAddress } from '../lib/trusted-types.ts'

const ADDRESS = '/service-worker.js'
/** After what the person came for. */
const DELAY_MILLISECONDS = 3000

/**
 * Whether the page can be installed as an app: over HTTPS alone, and not in the desktop app, which is
 * one.
 */
const canKeep = (): boolean =>
  desktop === undefined && location.protocol === 'https:' && 'serviceWorker' in navigator

/** Offers a newer version of the interface; nothing changes under the hands of anybody. */
function offerUpdate(waiting: ServiceWorker): void {
  toast({
    text: translate('common.update.ready'),
    lasts: true,
    action: {
      label: translate('common.update.reload'),
      onSelect: () => waiting.postMessage('take over'),
    },
  })
}

function followUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator
  // The first one takes over a page that needs nothing of it.
  const isUpdate = serviceWorker.controller !== null
  const follow = (installing: ServiceWorker | null): void =>
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && serviceWorker.controller) offerUpdate(installing)
    })
  if (registration.waiting && isUpdate) offerUpdate(registration.waiting)
  // The browser looks for a newer one by itself, and may have found it before this page asked.
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  if (isUpdate) serviceWorker.addEventListener('controllerchange', () => location.reload())
}

let isKept = false
/** Made once, as a page may not make a policy of one name twice. */
let address: string | null = null

/**
 * Has the browser keep the shell of the interface. A browser that does not trust the certificate
 * refuses that, and then offers no installation either.
 */
export function keepShell(): void {
  if (!canKeep() || isKept) return
  isKept = true
  setTimeout(() => {
    if (isKept)
      navigator.serviceWorker
        .register((address ??= trustAddress('service-worker', withBase(ADDRESS))), {
          scope: withBase('/'),
        })
        .then(followUpdates, () => undefined)
  }, DELAY_MILLISECONDS)
}

/** Leaves nothing of the interface in the browser of somebody who signed out. */
export async function forgetShell(): Promise<void> {
  if (!canKeep()) return
  isKept = false
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}
