import { endpoints, toUrl } from '../../../api/client.ts'
import { translate } from '../../../lib/i18n.ts'

/** A way to the tool servers of the person, and to no other place. */
export interface Reach {
  fetch(address: string, init: RequestInit): Promise<Response>
  /** To be called when the list of servers changed: the next call goes by the new one. */
  renew(): void
}

const OPEN_MILLISECONDS = 10_000

/** The document is empty and says what it is; anything else is a refusal of the gateway. */
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

/** Whether the page is being left. Its calls break off then, which says nothing of the servers. */
let isLeaving = false
addEventListener('pagehide', () => (isLeaving = true))
addEventListener('pageshow', () => (isLeaving = false))

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * Borrows the `fetch` of a hidden document of the gateway whose policy names the tool servers of
 * this person. The page itself may talk to nobody but the gateway, and that stays so.
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
