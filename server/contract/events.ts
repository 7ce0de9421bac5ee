import { z } from './lazy-zod.ts'
import { channelSignalSchema, type ChannelActor, type ChannelEvent } from './channel-events.ts'
import type { Role } from './common.ts'

/** Path of the WebSocket upgrade (decisions §5). */
export const SOCKET_PATH = '/ws'

/**
 * Close codes of the socket: not authenticated, no longer allowed, too slow, and one too many of
 * its account.
 */
export const SOCKET_CLOSE = Object.freeze({
  unauthenticated: 4401,
  revoked: 4403,
  slow: 4408,
  tooMany: 4429,
})

/**
 * Event types an outside tool may post to a message (specification, Events from external tools).
 */
export const EXTERNAL_EVENT_TYPES = Object.freeze([
  'status',
  'notification',
  'chat:message:delta',
  'message',
  'chat:message',
  'replace',
  'files',
  'chat:message:files',
  'source',
  'citation',
  'embeds',
] as const)

/**
 * Data of an `events` frame. The gateway's own types during a run: `chat:message:delta` {content,
 * offset} and `chat:reasoning:delta` {content, offset} — append; `offset` is the length (UTF-16
 * units) of the text before the delta, so a reader that missed something sees the gap and reads
 * again. `chat:completion` {done:true, content, reasoning_content?, usage?, output?, error?} — the
 * finished message. `status` {action, description, done, …} — what is done before or beside the
 * text. Actions of the gateway: `knowledge_search`
 * {queries?, items?}, `queries_generated` {queries}, `sources_retrieved` {count}, `files_pending` {count}, `pictures_left_out`
 * {count}, `tool_call` {name}, `web_search_queries_generated` {queries}, `web_search` {queries?, urls?, items? [{link, title}], count?,
 * error?}, `image_generation` {progress? {done, total}, error?}. The last line of an action has
 * `done: true`. `source` {source, document, metadata, distances?, tool_result?} — one source, in
 * the order the model cites them by. As a `call`: `tool:approval` {name, arguments, …} is answered
 * with {decision: 'allow' | 'deny', scope?: 'once' | 'chat' | 'always'}; `execute:tool` {id, name,
 * params, server, session_id} with [data, headers], what a tool server of the person gave the
 * window. `execute:python` {id, code, session_id, files, timeout} with what came of it
 * (`codeAnswerSchema` of `code.ts`). `code:progress` {run_id, phase, text} — where a run of a cell
 * is, or one of a model in a process of the gateway; `phase` is 'queued', 'loading' or 'running'. `chat:message:follow_ups` {follow_ups} —
 * questions the person may ask next. `chat:outlet` {messages} — texts the outlet filters changed,
 * each with its id. `chat:tags` {tags} — all tags of a chat (`message_id` is null). `chat:active`
 * {active, updated_at?}, `chat:title` {title}, `chat:list` {reason} — hints for lists; `message_id`
 * is null for these. When the last answer of a stored chat ended, `updated_at` is the time of its
 * last change, so that a list need not be read again. `image:progress` {job_id, done, total} — how
 * far a picture is that was asked for outside of chats; `message_id` is null.
 * `chat:message:created` {message} — a message another client or script added.
 */
export const eventDataSchema = z.object({ type: z.string(), data: z.unknown() })
export type EventData = z.output<typeof eventDataSchema> & {
  /**
   * Where in its list (`statusHistory`, `sources`, `files`, `embeds`) the first thing an event
   * added is stored, so that a reader who read the message meanwhile neither takes it twice nor
   * misses one. Absent for what is no list or stored nowhere.
   */
  readonly index?: number
}

/** Frames the server sends. */
export type ServerFrame =
  | { type: 'ready'; session_id: string; user: { id: string; name: string; role: Role } }
  | { type: 'events'; chat_id: string | null; message_id: string | null; data: EventData }
  | { type: 'call'; call_id: string; chat_id: string; message_id: string; data: EventData }
  /** Nobody waits for the answer of this call any more. */
  | { type: 'call:cancel'; call_id: string }
  | {
      type: 'events:channel'
      channel_id: string
      message_id: string | null
      user: ChannelActor
      data: ChannelEvent
    }
  | { type: 'pong' }
  | { type: 'error'; detail: string }

/** Frames a client may send. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  /**
   * The first frame: a session token or API key, or the second half of the session whose cookie
   * came with the upgrade.
   */
  z.object({
    type: z.literal('auth'),
    token: z.string().min(1).max(8192).optional(),
    key: z.string().min(1).max(256).optional(),
  }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('focus'), focused: z.boolean() }),
  z.object({ type: z.literal('call:result'), call_id: z.string().max(256), result: z.unknown() }),
  z.object({
    type: z.literal('call:error'),
    call_id: z.string().max(256),
    error: z.string().max(10_000),
  }),
  z.object({
    type: z.literal('channel'),
    channel_id: z.string().max(256),
    data: channelSignalSchema,
  }),
])
export type ClientFrame = z.output<typeof clientFrameSchema>
