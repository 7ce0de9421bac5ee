/** No policy of a document speaks of these connections. */
const CONNECTIONS = /^(webkit|moz)?RTC/

class MemoryStorage {
  readonly #kept = new Map<string, string>()

  get length(): number {
    return this.#kept.size
  }

  key(index: number): string | null {
    return [...this.#kept.keys()][index] ?? null
  }

  getItem(name: string): string | null {
    return this.#kept.get(String(name)) ?? null
  }

  setItem(name: string, value: string): void {
    this.#kept.set(String(name), String(value))
  }

  removeItem(name: string): void {
    this.#kept.delete(String(name))
  }

  clear(): void {
    this.#kept.clear()
  }
}

/**
 * Takes away what leads around the policy of this document, before anything of the page runs:
 * connections it does not know of, and every way to read the word that lets a script run. A frame
 * inside has another origin and the same policy, so it runs nothing and cannot lend what it has.
 */
export function keepInside(): void {
  for (const name of Object.getOwnPropertyNames(window))
    if (CONNECTIONS.test(name) || name === 'ReportingObserver') Reflect.deleteProperty(window, name)
  for (const { prototype } of [HTMLElement, SVGElement, MathMLElement])
    Reflect.deleteProperty(prototype, 'nonce')
  Reflect.deleteProperty(SecurityPolicyViolationEvent.prototype, 'originalPolicy')
  for (const name of ['localStorage', 'sessionStorage'])
    // Without an origin there is none, and a page that asks for it would stop.
    Object.defineProperty(window, name, { value: new MemoryStorage(), configurable: true })
}
