import { channelSignalSchema } from '#contract/channel-events.ts'
import { z } from '#contract/lazy-zod.ts'
import type { Chats } from '../chats/index.ts'
import type { TakeSignal } from '../events/index.ts'
import type { Caller } from '../lib/http.ts'
import type { Client } from './client.ts'

/** Acknowledges an event on request; the reference system sends values only for `user-join`. */
type Acknowledge = (...values: readonly unknown[]) => void

export interface ReceiveParts {
  /** Signs in a client that had no token when it connected; null if the token is invalid. */
  readonly signIn: (token: unknown) => Promise<Caller | null>
  readonly takeSignal: TakeSignal
  readonly chats: Pick<Chats, 'markRead'>
}

const joinSchema = z.object({ auth: z.object({ token: z.string() }) })
const channelSchema = z.object({
  channel_id: z.string().max(256),
  message_id: z.string().max(256).nullish(),
  data: channelSignalSchema,
})

const chatSchema = z.object({
  chat_id: z.string().max(256),
  data: z.object({ type: z.literal('last_read_at') }),
})

/** Events that need no action: clients need not join a room here to receive their events. */
const NOTED: ReadonlySet<string> = new Set([
  'heartbeat',
  'join-channels',
  'join-note',
  'usage',
  'ydoc:document:join',
])

/** Handles one event of a client. Unknown or incomplete events are ignored without a response. */
export async function receive(
  { signIn, takeSignal, chats }: ReceiveParts,
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
  if (event === 'events:chat') {
    const told = chatSchema.safeParse(payload)
    if (told.success && client.live)
      await chats.markRead(client.live.caller.userId, told.data.chat_id)
    return acknowledge()
  }
  if (NOTED.has(String(event)) && typeof payload === 'object' && payload !== null) acknowledge()
}

const toAcknowledge = (last: unknown): Acknowledge =>
  typeof last === 'function' ? (last as Acknowledge) : () => undefined
