/** Returns the system's proxies for an origin in the system's syntax, such as `PROXY one:3128`. */
export type AskSystem = (origin: string) => Promise<string>

/** Source of the system's proxies: the desktop app that started this process, otherwise null. */
export const systemProxies: { ask: AskSystem | null } = { ask: null }
