import { channelSignalSchema } from '#contract/channel-events.ts'
import { z } from '#contract/lazy-zod.ts'
import type { TakeSignal } from '../events/index.ts'
import type { Caller } from '../lib/http.ts'
import type { Client } from './client.ts'

/** Answers an event that asks for it; the reference sends nothing along but for `user-join`. */
type Acknowledge = (...values: readonly unknown[]) => void

export interface ReceiveParts {
  /** Signs a client in that had no token when it connected; null when the token is not valid. */
  readonly signIn: (token: unknown) => Promise<Caller | null>
  readonly takeSignal: TakeSignal
}

const joinSchema = z.object({ auth: z.object({ token: z.string() }) })
const channelSchema = z.object({
  channel_id: z.string().max(256),
  message_id: z.string().max(256).nullish(),
  data: channelSignalSchema,
})

/** Told by clients and needing nothing: nobody joins a room here to hear of what is theirs. */
const NOTED: ReadonlySet<string> = new Set([
  'heartbeat',
  'join-channels',
  'join-note',
  'usage',
  'events:chat',
  'ydoc:document:join',
])

/**
 * Obeys one event of a client. What is not known or not complete is ignored without an answer.
 */
export async function receive(
  { signIn, takeSignal }: ReceiveParts,
  client: Client,
  [event, ...rest]: readonly unknown[],
): Promise<void> {
  const acknowledge = toAcknowledge(rest.at(-1))
  const payload = rest[0]
  if (event === 'user-join') {
    const joined = joinSchema.safeParse(payload)
    const caller = joined.success ? await signIn(joined.data.auth.token) : null
    return caller ? acknowledge({ id: caller.userId, name: caller.name }) : acknowledge()
  }
  if (event === 'events:channel') {
    const told = channelSchema.safeParse(payload)
    if (!told.success || !client.live) return
    const { channel_id, message_id, data } = told.data
    const signal = data.type === 'typing' ? { ...data, message_id: message_id ?? null } : data
    await takeSignal(client.live.caller, channel_id, signal)
    if (data.type === 'last_read_at') acknowledge()
    return
  }
  if (NOTED.has(String(event)) && typeof payload === 'object' && payload !== null) acknowledge()
}

const toAcknowledge = (last: unknown): Acknowledge =>
  typeof last === 'function' ? (last as Acknowledge) : () => undefined
