/** The end of a line to another process. */
export interface LinePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  start(): void
  close(): void
}

/** What the app says of a window it was asked for. */
export interface AppMessage {
  readonly type?: string
  readonly id?: string
  readonly end?: string
}

export type AppListener = (event: { data: AppMessage; ports: readonly LinePort[] }) => void

/** How a gateway inside Electron speaks to the app that started it. */
export interface AppPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: AppListener): void
  off(event: 'message', listener: AppListener): void
}

/** Null in a gateway that runs by itself. */
export const appPort: AppPort | null =
  (process as typeof process & { readonly parentPort?: AppPort }).parentPort ?? null
