/** Says in the words of the system which proxies lead to an origin, such as `PROXY one:3128`. */
export type AskSystem = (origin: string) => Promise<string>

/** Who knows the proxies of the system: the desktop app that started this process, else nobody. */
export const systemProxies: { ask: AskSystem | null } = { ask: null }
