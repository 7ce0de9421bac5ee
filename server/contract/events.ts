import { runStatusSchema } from './automations.ts'
import { z } from './lazy-zod.ts'
import { channelSignalSchema, type ChannelActor, type ChannelEvent } from './channel-events.ts'
import { messageSchema } from './chats.ts'
import { codeResultSchema, type PythonCall } from './code.ts'
import { jsonObjectSchema, type Role } from './common.ts'
import { sourceSchema } from './completions.ts'
import { fileNewsSchema } from './files.ts'
import { imageProgressSchema } from './images.ts'

/** Path of the WebSocket upgrade (docs/wire-format.md). */
export const SOCKET_PATH = '/ws'
/** Path for clients written for the reference, with or without a slash behind it. */
export const SOCKET_IO_PATH = '/ws/socket.io'

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
  'chat:message:artifact',
] as const)

const textData = z.object({ content: z.string() })
const deltaData = z.object({
  content: z.string(),
  /** Length (UTF-16 units) of the text before the delta, so that a reader sees a gap. */
  offset: z.number().int(),
})
/** How long a source may be that somebody changed. */
const LONGEST_SOURCE = 1_000_000
/** True puts what comes in the place of what was there. */
const replace = z.unknown().optional()
const filesData = z.object({ files: z.array(z.unknown()).readonly(), replace })
const embedsData = z.object({ embeds: z.array(z.string()).readonly(), replace })
const texts = z.array(z.string()).readonly().optional()

/** What the gateway says it does before or beside the text of an answer. */
const statusActionSchema = z.enum([
  'code_interpreter',
  'files_pending',
  'image_generation',
  'knowledge_search',
  'memory',
  'pictures_left_out',
  'queries_generated',
  'sources_cut',
  'sources_left_out',
  'sources_retrieved',
  'sources_searched',
  'tool_call',
  'tool_progress',
  'tool_server',
  'web_search',
  'web_search_queries_generated',
])

/** A status line. The last line of an action has `done: true`. */
const statusSchema = z.object({
  action: statusActionSchema,
  description: z.string(),
  done: z.boolean(),
  /** The step failed or left something out. */
  error: z.boolean().optional(),
  /** Kept with the message and not drawn. */
  hidden: z.boolean().optional(),
  /** Which of several it is, such as the name of a tool. */
  name: z.string().optional(),
  count: z.number().int().optional(),
  queries: texts,
  urls: texts,
  items: z
    .array(z.object({ link: z.string(), title: z.string().nullable() }))
    .readonly()
    .optional(),
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
})
export type Status = z.output<typeof statusSchema>

/** A run of code beside the sources of an answer; a later one of the same id replaces it. */
const executionSchema = z.object({
  type: z.literal('code_execution'),
  id: z.string(),
  name: z.string(),
  code: z.string(),
  language: z.string(),
  result: jsonObjectSchema.optional(),
  outcome: codeResultSchema.optional(),
})

/** What happened to chats, for those who show a list of them. */
const listReasonSchema = z.enum([
  'created',
  'updated',
  'renamed',
  'pinned',
  'deleted',
  'restored',
  'moved',
  'archived',
  'tagged',
  'shared',
  'read',
  'imported',
  'folders',
])
export type ListReason = z.output<typeof listReasonSchema>

/** Data of an `events` frame that the gateway sends of its own accord. */
export const gatewayEventSchema = z.discriminatedUnion('type', [
  /** More of the text of an answer. */
  z.object({ type: z.literal('chat:message:delta'), data: deltaData }),
  /** More of the reasoning before it. */
  z.object({ type: z.literal('chat:reasoning:delta'), data: deltaData }),
  /** The finished message; `done` is false when a finished one is gone on with. */
  z.object({
    type: z.literal('chat:completion'),
    data: messageSchema
      .pick({
        content: true,
        reasoning_content: true,
        reasoning_seconds: true,
        answer_seconds: true,
        usage: true,
        finish_reason: true,
        error: true,
        sources: true,
      })
      .partial()
      .extend({ done: z.boolean() }),
  }),
  /** What is done before or beside the text. */
  z.object({ type: z.literal('status'), data: statusSchema }),
  /** One source, in the order the model cites them by, or a run of code. */
  z.object({ type: z.literal('source'), data: z.union([sourceSchema, executionSchema]) }),
  /** Files of an answer, such as pictures, added to those it has. */
  z.object({ type: z.literal('files'), data: filesData }),
  /** Pages shown in a frame of an answer, added to those it has. */
  z.object({ type: z.literal('embeds'), data: embedsData }),
  /** A message whose text was put in the place of the one before. */
  z.object({ type: z.literal('chat:message'), data: textData }),
  /** A message another client or script added. */
  z.object({
    type: z.literal('chat:message:created'),
    data: z.object({ message: messageSchema }),
  }),
  /** Questions the person may ask next. */
  z.object({
    type: z.literal('chat:message:follow_ups'),
    data: z.object({ follow_ups: z.array(z.string()).readonly() }),
  }),
  /** Texts the outlet filters changed, each with its id. */
  z.object({
    type: z.literal('chat:outlet'),
    data: z.object({
      messages: z.array(z.object({ id: z.string(), content: z.string() })).readonly(),
    }),
  }),
  /** The name of a chat. */
  z.object({ type: z.literal('chat:title'), data: z.object({ title: z.string() }) }),
  /** All tags of a chat; `message_id` is null. */
  z.object({
    type: z.literal('chat:tags'),
    data: z.object({ tags: z.array(z.string()).readonly() }),
  }),
  /**
   * Whether an answer of the chat is being written; `message_id` is null. When the last answer of a
   * stored chat ended, `updated_at` is the time of its last change, so that a list need not be read
   * again.
   */
  z.object({
    type: z.literal('chat:active'),
    data: z.object({ active: z.boolean(), updated_at: z.number().optional() }),
  }),
  /** A hint for lists of chats and folders; `message_id` is null. */
  z.object({ type: z.literal('chat:list'), data: z.object({ reason: listReasonSchema }) }),
  /** A line for the person, whatever they look at. */
  z.object({
    type: z.literal('notification'),
    data: z.object({
      type: z.enum(['info', 'success', 'warning', 'error']),
      content: z.string(),
      /** The run of an automation it is about, so that a window can say it in its language. */
      run: z
        .object({
          name: z.string(),
          status: runStatusSchema,
          error: z.string().nullable(),
          chat_id: z.string().nullable(),
        })
        .optional(),
    }),
  }),
  /** Where a run of a cell is, or one of a model in a process of the gateway. */
  z.object({
    type: z.literal('code:progress'),
    data: z.object({
      run_id: z.string(),
      phase: z.enum(['queued', 'loading', 'running']),
      text: z.string(),
    }),
  }),
  /** How far a picture is that was asked for outside of chats; `message_id` is null. */
  z.object({ type: z.literal('image:progress'), data: imageProgressSchema }),
  /** How far the reading of a file is, to its owner. */
  z.object({ type: z.literal('file:status'), data: fileNewsSchema }),
])
export type GatewayEvent = z.output<typeof gatewayEventSchema>

/**
 * What a plugin, a pipeline, a tool server or a script sends: anything. It is parsed once, where it
 * enters the gateway.
 */
export interface PluginEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * Events of strangers that windows understand (specification, Plugin events). Where the gateway
 * sends the type too, less is asked of a stranger.
 */
export const pluginEventSchema = z.discriminatedUnion('type', [
  /** More of the text, after all there is when it has no `offset`. */
  z.object({
    type: z.literal('chat:message:delta'),
    data: textData.extend({ offset: z.number().optional() }),
  }),
  z.object({ type: z.literal('message'), data: textData }),
  /** Another text in the place of the one before. */
  z.object({ type: z.literal('replace'), data: textData }),
  z.object({ type: z.literal('chat:message'), data: textData }),
  /** A status line in the words of a plugin. */
  z.object({ type: z.literal('status'), data: jsonObjectSchema }),
  z.object({ type: z.literal('source'), data: jsonObjectSchema }),
  z.object({ type: z.literal('citation'), data: jsonObjectSchema }),
  /** Files, added to those there are, or with `replace: true` in their place. */
  z.object({ type: z.literal('files'), data: filesData }),
  z.object({ type: z.literal('chat:message:files'), data: filesData }),
  z.object({ type: z.literal('embeds'), data: embedsData }),
  z.object({ type: z.literal('chat:message:embeds'), data: embedsData }),
  z.object({
    type: z.literal('chat:message:favorite'),
    data: z.object({ favorite: z.unknown().optional() }),
  }),
  /**
   * Another version of a fenced piece of code of an answer, as its reader made it; `block` is the
   * place of the piece among those of the answer. Kept with the message in `artifacts`.
   */
  z.object({
    type: z.literal('chat:message:artifact'),
    data: z.object({
      id: z.string().min(1).max(64),
      block: z.number().int().min(0).max(10_000),
      source: z.string().max(LONGEST_SOURCE),
      timestamp: z.number(),
    }),
  }),
  /** The answer failed. */
  z.object({
    type: z.literal('chat:message:error'),
    data: z.object({ error: z.union([z.string(), jsonObjectSchema]) }),
  }),
  z.object({
    type: z.literal('chat:title'),
    data: z.union([z.string(), z.object({ title: z.string() })]),
  }),
  z.object({ type: z.literal('chat:tags'), data: z.unknown() }),
  z.object({
    type: z.literal('notification'),
    data: z.object({ type: z.unknown().optional(), content: z.string() }),
  }),
  /** Code for the page. */
  z.object({ type: z.literal('execute'), data: z.object({ code: z.string() }) }),
])

/** An event as a window gets it. */
export type EventData = (GatewayEvent | z.output<typeof pluginEventSchema>) & {
  /**
   * Where in its list (`statusHistory`, `sources`, `files`, `embeds`, `artifacts`) the first thing an event
   * added is stored, so that a reader who read the message meanwhile neither takes it twice nor
   * misses one. Absent for what is no list or stored nowhere.
   */
  readonly index?: number
}

/**
 * An event of a type the gateway does not know, on its way to windows. They get `data` alone, as it
 * came, and ignore it; other programs may understand it.
 */
export interface ForeignEvent {
  readonly type: 'foreign'
  readonly data: PluginEvent
}

/** Data of a `call` frame: what the gateway asks the window of a request. */
export type GatewayCall =
  /** Answered with {decision: 'allow' | 'deny', scope?: 'once' | 'chat' | 'always'}. */
  | {
      readonly type: 'tool:approval'
      readonly data: {
        readonly call_id: string
        readonly name: string
        readonly arguments: Readonly<Record<string, unknown>>
      }
    }
  /** Answered with [data, headers], what a tool server of the person gave the window. */
  | {
      readonly type: 'execute:tool'
      readonly data: {
        readonly id: string
        readonly name: string
        readonly params: Readonly<Record<string, unknown>>
        readonly server: Readonly<Record<string, unknown>>
        readonly session_id: string | null
      }
    }
  /** Answered with what came of it (`codeAnswerSchema` of `code.ts`). */
  | { readonly type: 'execute:python'; readonly data: PythonCall }

/** What a plugin asks the window of a request; the dialog reads `data` as it draws it. */
export interface PluginCall {
  readonly type: 'confirmation' | 'input' | 'execute'
  readonly data: Readonly<Record<string, unknown>>
}

/** Frames the server sends. */
export type ServerFrame =
  | { type: 'ready'; session_id: string; user: { id: string; name: string; role: Role } }
  | { type: 'events'; chat_id: string | null; message_id: string | null; data: EventData }
  | {
      type: 'call'
      call_id: string
      chat_id: string
      message_id: string
      data: GatewayCall | PluginCall
    }
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
