import { z } from '#contract/lazy-zod.ts'
import type { StartFailure } from '../config/start-error.ts'
import { appPort } from '../lib/app-port.ts'

const leavePurposeSchema = z.enum(['update', 'word_list', 'window', 'tool_server'])

/**
 * Messages of the desktop app to the gateway it started. `rootSecret` is 32 bytes in base64; `stop`
 * ends the process cleanly.
 */
const messageFromMainSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    rootSecret: z.string(),
    dataDir: z.string(),
    /** Folder of the app's other data, including the root key and cookies. */
    profile: z.string(),
    port: z.int(),
    logLevel: z.string().optional(),
  }),
  z.object({ type: z.literal('desktop-code') }),
  z.object({ type: z.literal('pause'), isPaused: z.boolean() }),
  /** Requests the number of answers being written, before an interruption. */
  z.object({ type: z.literal('activity') }),
  /** Requests permission for the app itself to contact a host. */
  z.object({
    type: z.literal('leave'),
    host: z.string().max(255),
    port: z.int(),
    purpose: leavePurposeSchema,
  }),
  z.object({
    type: z.literal('window-traffic'),
    id: z.int(),
    host: z.string().max(255),
    port: z.int(),
    purpose: leavePurposeSchema,
    sent: z.int(),
    received: z.int(),
    isOver: z.boolean(),
  }),
  /** Requests a copy of the database, labelled with the operation that follows. */
  z.object({ type: z.literal('back-up'), label: z.string().regex(/^[a-z][a-z-]{0,40}$/) }),
  z.object({ type: z.literal('stop') }),
  /** The system's proxies for an origin; null if it could not be asked. */
  z.object({
    type: z.literal('proxies'),
    id: z.int(),
    route: z.string().nullable(),
  }),
])
export type MessageFromMain = z.output<typeof messageFromMainSchema>
export type StartMessage = Extract<MessageFromMain, { type: 'start' }>

/**
 * Messages of the gateway to the app. The code signs the window in once; it is sent nowhere else.
 */
export type MessageToMain =
  /** `isAnew`: it has restarted itself with other data, so all sessions have ended. */
  | { type: 'ready'; url: string; port: number; isAnew: boolean }
  | { type: 'failed'; reason: StartFailure; message: string; choices?: readonly string[] }
  | { type: 'desktop-code'; code: string }
  | { type: 'activity'; answers: number }
  | { type: 'leave'; isAllowed: boolean }
  /** Sealed mode was switched on or off. */
  | { type: 'sealed'; isSealed: boolean }
  /** Requests the system's proxies for an origin. */
  | { type: 'find-proxies'; id: number; origin: string }
  /** File of the copy, or the reason why there is none. */
  | { type: 'backed-up'; file: string | null; problem: string | null }

/**
 * Process channel to the desktop app: a utility process's port, or the channel of a plain child
 * process.
 */
export interface DesktopChannel {
  send(message: MessageToMain): void
  onMessage(listener: (message: MessageFromMain) => void): void
  /** Called when the app has exited; the gateway then stops as well. */
  onClosed(listener: () => void): void
}

/** Opens the channel; returns null if this process was not started by the app. */
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
