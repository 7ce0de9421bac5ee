/** The end of a line to another process. */
export interface LinePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  start(): void
  close(): void
}

/** What the app says, with the ends of lines it hands over. */
export interface AppEvent {
  readonly data: unknown
  readonly ports: readonly LinePort[]
}

export type AppListener = (event: AppEvent) => void

/** How a process inside Electron speaks to the app that started it. */
export interface AppPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: AppListener): void
  on(event: 'close', listener: () => void): void
  once(event: 'message', listener: AppListener): void
  off(event: 'message', listener: AppListener): void
}

/** Null in a process that the app has not started this way. */
export const appPort: AppPort | null =
  (process as typeof process & { readonly parentPort?: AppPort }).parentPort ?? null
