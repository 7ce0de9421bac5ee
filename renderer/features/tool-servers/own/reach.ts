import { endpoints, toUrl } from '../../../api/client.ts'
import { translate } from '../../../lib/i18n.ts'

/** Network access to the user's tool servers, and to no other host. */
export interface Reach {
  fetch(address: string, init: RequestInit): Promise<Response>
  /** Must be called when the list of servers has changed: the next call uses the new one. */
  renew(): void
}

const OPEN_MILLISECONDS = 10_000

/** The document is empty except for its title; anything else is an error page of the gateway. */
const isOpen = (frame: HTMLIFrameElement): boolean =>
  frame.contentDocument?.title === 'Tool servers' &&
  frame.contentDocument.body.childElementCount === 0

function openFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = translate('toolServers.own.frame')
  frame.src = toUrl(endpoints.toolServers.frame, {})
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer)
      frame.remove()
      reject(new Error(translate('toolServers.own.refused')))
    }
    const timer = setTimeout(fail, OPEN_MILLISECONDS)
    frame.addEventListener('load', () => {
      if (!isOpen(frame)) return fail()
      clearTimeout(timer)
      resolve(frame)
    })
    frame.addEventListener('error', fail)
    document.body.append(frame)
  })
}

/** True while the page is being left. Its calls then fail, which says nothing about the servers. */
let isLeaving = false
addEventListener('pagehide', () => (isLeaving = true))
addEventListener('pageshow', () => (isLeaving = false))

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * Uses the `fetch` of a hidden document of the gateway whose policy lists this user's tool servers.
 * The page itself still may only connect to the gateway.
 */
export function createReach(): Reach {
  let opening: Promise<HTMLIFrameElement> | null = null
  const close = (): void => {
    const closing = opening
    opening = null
    void closing?.then(
      (frame) => frame.remove(),
      () => undefined,
    )
  }
  return {
    async fetch(address, init) {
      opening ??= openFrame().catch((thrown: unknown) => {
        opening = null
        throw thrown
      })
      const window = (await opening).contentWindow
      if (!window) throw new Error(translate('toolServers.own.refused'))
      const open: RequestInit = {
        mode: 'cors',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      }
      return window.fetch(address, { ...init, ...open }).catch((thrown: unknown) => {
        if (isLeaving) return never()
        throw thrown
      })
    },
    renew: close,
  }
}
