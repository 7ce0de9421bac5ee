import { z } from '#contract/lazy-zod.ts'
import type { StartFailure } from '../config/start-error.ts'
import { appPort } from '../lib/app-port.ts'

/**
 * What the desktop app sends to the gateway it started. `rootSecret` is 32 bytes in base64; `stop`
 * ends the process cleanly.
 */
const messageFromMainSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    rootSecret: z.string(),
    dataDir: z.string(),
    /** Folder of everything else the app keeps, the root key and cookies among it. */
    profile: z.string(),
    port: z.number().int(),
    logLevel: z.string().optional(),
  }),
  z.object({ type: z.literal('desktop-code') }),
  z.object({ type: z.literal('pause'), isPaused: z.boolean() }),
  /** Asks how many answers are being written, before something interrupts them. */
  z.object({ type: z.literal('activity') }),
  /** Asks whether the app may contact a host for an update. */
  z.object({ type: z.literal('leave'), host: z.string().max(255), port: z.number().int() }),
  /** Asks for a copy of the database, named by what it is made before. */
  z.object({ type: z.literal('back-up'), label: z.string().regex(/^[a-z][a-z-]{0,40}$/) }),
  z.object({ type: z.literal('stop') }),
  /** What the system says of the proxies to an origin; null where it could not be asked. */
  z.object({
    type: z.literal('proxies'),
    id: z.number().int(),
    route: z.string().nullable(),
  }),
])
export type MessageFromMain = z.output<typeof messageFromMainSchema>
export type StartMessage = Extract<MessageFromMain, { type: 'start' }>

/** What the gateway sends back. The code signs the window in once; it travels nowhere else. */
export type MessageToMain =
  /** `isAnew`: it started again by itself with other data, so nobody is signed in any more. */
  | { type: 'ready'; url: string; port: number; isAnew: boolean }
  | { type: 'failed'; reason: StartFailure; message: string; choices?: readonly string[] }
  | { type: 'desktop-code'; code: string }
  | { type: 'activity'; answers: number }
  | { type: 'leave'; isAllowed: boolean }
  /** Asks which proxies of the system lead to an origin. */
  | { type: 'find-proxies'; id: number; origin: string }
  /** The file of the copy, or why there is none. */
  | { type: 'backed-up'; file: string | null; problem: string | null }

/**
 * The process channel to the desktop app: a utility process's port, or the channel of a plain child
 * process.
 */
export interface DesktopChannel {
  send(message: MessageToMain): void
  onMessage(listener: (message: MessageFromMain) => void): void
  /** Fires when the app is gone; the gateway then stops as well. */
  onClosed(listener: () => void): void
}

/** Opens the channel; null when this process was not started by the app. */
export function openDesktopChannel(): DesktopChannel | null {
  const port = appPort
  const accept = (listener: (message: MessageFromMain) => void) => (data: unknown) => {
    const parsed = messageFromMainSchema.safeParse(data)
    if (parsed.success) listener(parsed.data)
  }
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', ({ data }) => accept(listener)(data)),
      onClosed: (listener) => port.on('close', listener),
    }
  }
  if (!process.send) return null
  return {
    send: (message) => process.send?.(message),
    onMessage: (listener) => process.on('message', accept(listener)),
    onClosed: (listener) => process.on('disconnect', listener),
  }
}
