/** Constructors of connections that no content security policy covers. */
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
 * Removes the ways around the policy of this document before any code of the page runs: connections
 * the policy does not cover, and every way to read the nonce that lets a script run. A nested frame
 * has another origin and the same policy, so it runs nothing and cannot lend its own unmodified
 * objects.
 */
export function keepInside(): void {
  for (const name of Object.getOwnPropertyNames(window))
    if (CONNECTIONS.test(name) || name === 'ReportingObserver') Reflect.deleteProperty(window, name)
  for (const { prototype } of [HTMLElement, SVGElement, MathMLElement])
    Reflect.deleteProperty(prototype, 'nonce')
  Reflect.deleteProperty(SecurityPolicyViolationEvent.prototype, 'originalPolicy')
  for (const name of ['localStorage', 'sessionStorage'])
    // Without an origin there is no storage, and a page that accesses it would fail.
    Object.defineProperty(window, name, { value: new MemoryStorage(), configurable: true })
}
