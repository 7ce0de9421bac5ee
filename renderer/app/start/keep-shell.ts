import { desktop } from '../../lib/desktop.ts'
import { translate } from '../../lib/i18n.ts'
import { withBase } from '../../lib/base-path.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { trustAddress } from '../../lib/trusted-types.ts'

const ADDRESS = '/service-worker.js'
/** Delayed so that it does not compete with the initial load. */
const DELAY_MILLISECONDS = 3000

/** True if the page can be installed as an app: over HTTPS only, and not in the desktop app. */
const canKeep = (): boolean =>
  desktop === undefined && location.protocol === 'https:' && 'serviceWorker' in navigator

/** Offers a newer version of the UI; it is not applied without consent. */
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
  // The first service worker takes over a page that does not depend on it.
  const isUpdate = serviceWorker.controller !== null
  const follow = (installing: ServiceWorker | null): void =>
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && serviceWorker.controller) offerUpdate(installing)
    })
  if (registration.waiting && isUpdate) offerUpdate(registration.waiting)
  // The browser also checks for updates by itself and may have found one before this code ran.
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  if (isUpdate) serviceWorker.addEventListener('controllerchange', () => location.reload())
}

let isKept = false
/** Created once, as a page cannot create two policies of the same name. */
let address: string | null = null

/**
 * Has the browser cache the shell of the UI. A browser that does not trust the certificate refuses,
 * and then offers no installation either.
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

/** Removes the cached UI from the browser after sign-out. */
export async function forgetShell(): Promise<void> {
  if (!canKeep()) return
  isKept = false
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}
