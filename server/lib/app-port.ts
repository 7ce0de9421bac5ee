/** Port of a channel to another process. */
export interface LinePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  start(): void
  close(): void
}

/** Message from the app, with the ports it transfers. */
export interface AppEvent {
  readonly data: unknown
  readonly ports: readonly LinePort[]
}

export type AppListener = (event: AppEvent) => void

/** Channel of a process inside Electron to the app that started it. */
export interface AppPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: AppListener): void
  on(event: 'close', listener: () => void): void
  once(event: 'message', listener: AppListener): void
  off(event: 'message', listener: AppListener): void
}

/** Null in a process that was not started by the app in this way. */
export const appPort: AppPort | null =
  (process as typeof process & { readonly parentPort?: AppPort }).parentPort ?? null
