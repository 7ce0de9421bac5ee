import { z } from 'zod'

/** Reasons for which the app itself contacts a host. */
export type LeavePurpose = 'update' | 'word_list' | 'window' | 'tool_server'

/**
 * Messages of the shell to the gateway it started. The root key is passed only here, never in
 * arguments or environment.
 */
export type MessageToGateway =
  | {
      type: 'start'
      rootSecret: string
      dataDir: string
      profile: string
      port: number
      logLevel: string
    }
  | { type: 'desktop-code' }
  | { type: 'pause'; isPaused: boolean }
  | { type: 'activity' }
  | { type: 'leave'; host: string; port: number; purpose: LeavePurpose }
  /** Traffic of the app's windows with a host so far; `id` names one report until its end. */
  | {
      type: 'window-traffic'
      id: number
      host: string
      port: number
      purpose: LeavePurpose
      sent: number
      received: number
      isOver: boolean
    }
  | { type: 'back-up'; label: string }
  | { type: 'stop' }
  /** Proxies to an origin according to the system; null if the query failed. */
  | { type: 'proxies'; id: number; route: string | null }

const failureSchema = z.object({
  type: z.literal('failed'),
  reason: z.enum(['locked', 'damaged', 'read-only', 'newer-schema', 'other']).catch('other'),
  message: z.string(),
  choices: z.array(z.string()).default([]),
})
export type StartFailure = z.output<typeof failureSchema>

/** Messages of the gateway; anything else on the channel is ignored. */
export const messageFromGatewaySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    url: z.url(),
    port: z.int().min(1).max(65_535),
    /** True if it restarted by itself with other data. */
    isAnew: z.boolean().default(false),
  }),
  failureSchema,
  z.object({ type: z.literal('desktop-code'), code: z.string().min(16) }),
  z.object({ type: z.literal('activity'), answers: z.int().min(0) }),
  z.object({ type: z.literal('leave'), isAllowed: z.boolean() }),
  /** Sealed mode was switched on or off. */
  z.object({ type: z.literal('sealed'), isSealed: z.boolean() }),
  /** Requests the proxies to an origin. */
  z.object({
    type: z.literal('find-proxies'),
    id: z.int(),
    origin: z
      .string()
      .max(2048)
      .regex(/^https?:\/\//),
  }),
  z.object({
    type: z.literal('backed-up'),
    file: z.string().nullable(),
    problem: z.string().nullable(),
  }),
])
export type MessageFromGateway = z.output<typeof messageFromGatewaySchema>

/** Responses to requests of the shell. */
export type GatewayAnswer = Extract<
  MessageFromGateway,
  { type: 'desktop-code' | 'activity' | 'leave' | 'backed-up' }
>
