import { ProxyError } from '../lib/outgoing/proxy-error.ts'
import type { DesktopChannel, MessageFromMain } from './desktop-channel.ts'

const ANSWER_MILLISECONDS = 10_000

type Answer = Extract<MessageFromMain, { type: 'proxies' }>

/** Asks the desktop app for the system's proxies, which only the app knows. */
export class SystemProxies {
  readonly #channel: Pick<DesktopChannel, 'send'>
  readonly #waiting = new Map<number, (route: string | null) => void>()
  #last = 0

  constructor(channel: Pick<DesktopChannel, 'send'>) {
    this.#channel = channel
  }

  /** Fails if the system does not provide them: no call bypasses a proxy. */
  async ask(origin: string): Promise<string> {
    const id = (this.#last += 1)
    const { promise, resolve } = Promise.withResolvers<string | null>()
    this.#waiting.set(id, resolve)
    const timer = setTimeout(() => resolve(null), ANSWER_MILLISECONDS)
    this.#channel.send({ type: 'find-proxies', id, origin })
    const route = await promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    if (route === null) throw new ProxyError('PROXY_UNREACHABLE', '')
    return route
  }

  take({ id, route }: Answer): void {
    this.#waiting.get(id)?.(route)
  }
}
