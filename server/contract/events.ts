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
/** Path for clients of the reference system, with or without a trailing slash. */
export const SOCKET_IO_PATH = '/ws/socket.io'

/**
 * Close codes of the socket: not authenticated, no longer allowed, too slow, and too many sockets
 * of the account.
 */
export const SOCKET_CLOSE = Object.freeze({
  unauthenticated: 4401,
  revoked: 4403,
  slow: 4408,
  tooMany: 4429,
})

/**
 * Event types an external tool may post to a message (specification, Events from external tools).
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
  /** Length (UTF-16 units) of the text before the delta, so that a reader can detect a gap. */
  offset: z.int(),
})
/** Maximum length of a source edited by a user. */
const LONGEST_SOURCE = 1_000_000
/** True to replace the existing items by the new ones. */
const replace = z.unknown().optional()
const filesData = z.object({ files: z.array(z.unknown()).readonly(), replace })
const embedsData = z.object({ embeds: z.array(z.string()).readonly(), replace })
const texts = z.array(z.string()).readonly().optional()

/** Actions the gateway reports before or alongside the text of an answer. */
const statusActionSchema = z.enum([
  'code_interpreter',
  'files_pending',
  'image_generation',
  'knowledge_search',
  'memory',
  'model_loading',
  'model_queued',
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

/** Status line. The last line of an action has `done: true`. */
const statusSchema = z.object({
  action: statusActionSchema,
  description: z.string(),
  done: z.boolean(),
  /** True if the step failed or left something out. */
  error: z.boolean().optional(),
  /** Stored with the message but not displayed. */
  hidden: z.boolean().optional(),
  /** Identifies one of several actions, for example by the name of a tool. */
  name: z.string().optional(),
  count: z.int().optional(),
  queries: texts,
  urls: texts,
  items: z
    .array(z.object({ link: z.string(), title: z.string().nullable() }))
    .readonly()
    .optional(),
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
})
export type Status = z.output<typeof statusSchema>

/** Code run listed with the sources of an answer; a later one with the same id replaces it. */
const executionSchema = z.object({
  type: z.literal('code_execution'),
  id: z.string(),
  name: z.string(),
  code: z.string(),
  language: z.string(),
  result: jsonObjectSchema.optional(),
  outcome: codeResultSchema.optional(),
})

/** Reasons for a change of chats, for clients that show a list of them. */
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

/** Data of an `events` frame sent by the gateway itself. */
export const gatewayEventSchema = z.discriminatedUnion('type', [
  /** Further text of an answer. */
  z.object({ type: z.literal('chat:message:delta'), data: deltaData }),
  /** Further reasoning before it. */
  z.object({ type: z.literal('chat:reasoning:delta'), data: deltaData }),
  /** Finished message; `done` is false if a finished one is being continued. */
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
  /** Status of an action before or alongside the text. */
  z.object({ type: z.literal('status'), data: statusSchema }),
  /** One source, in the order the model cites them by, or a run of code. */
  z.object({ type: z.literal('source'), data: z.union([sourceSchema, executionSchema]) }),
  /** Files of an answer, such as images, added to the existing ones. */
  z.object({ type: z.literal('files'), data: filesData }),
  /** Pages shown in a frame of an answer, added to the existing ones. */
  z.object({ type: z.literal('embeds'), data: embedsData }),
  /** Message whose text replaces the previous one. */
  z.object({ type: z.literal('chat:message'), data: textData }),
  /** Message added by another client or script. */
  z.object({
    type: z.literal('chat:message:created'),
    data: z.object({ message: messageSchema }),
  }),
  /** Suggested next questions. */
  z.object({
    type: z.literal('chat:message:follow_ups'),
    data: z.object({ follow_ups: z.array(z.string()).readonly() }),
  }),
  /** Texts changed by the outlet filters, each with its id. */
  z.object({
    type: z.literal('chat:outlet'),
    data: z.object({
      messages: z.array(z.object({ id: z.string(), content: z.string() })).readonly(),
    }),
  }),
  /** Name of a chat. */
  z.object({ type: z.literal('chat:title'), data: z.object({ title: z.string() }) }),
  /** All tags of a chat; `message_id` is null. */
  z.object({
    type: z.literal('chat:tags'),
    data: z.object({ tags: z.array(z.string()).readonly() }),
  }),
  /**
   * True while an answer of the chat is being written; `message_id` is null. When the last answer
   * of a stored chat has ended, `updated_at` is the time of its last change, so that a list need
   * not be reloaded.
   */
  z.object({
    type: z.literal('chat:active'),
    data: z.object({ active: z.boolean(), updated_at: z.number().optional() }),
  }),
  /** Hint for lists of chats and folders; `message_id` is null. */
  z.object({ type: z.literal('chat:list'), data: z.object({ reason: listReasonSchema }) }),
  /** Message for the user, whatever they are viewing. */
  z.object({
    type: z.literal('notification'),
    data: z.object({
      type: z.enum(['info', 'success', 'warning', 'error']),
      content: z.string(),
      /** Related run of an automation, so that a window can describe it in its own language. */
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
  /** Progress of a cell run, or of a model's run in a process of the gateway. */
  z.object({
    type: z.literal('code:progress'),
    data: z.object({
      run_id: z.string(),
      phase: z.enum(['queued', 'loading', 'running']),
      text: z.string(),
    }),
  }),
  /** Progress of an image requested outside of chats; `message_id` is null. */
  z.object({ type: z.literal('image:progress'), data: imageProgressSchema }),
  /** Progress of the processing of a file, sent to its owner. */
  z.object({ type: z.literal('file:status'), data: fileNewsSchema }),
])
export type GatewayEvent = z.output<typeof gatewayEventSchema>

/**
 * Event of a plugin, a pipeline, a tool server or a script, with any content. It is parsed once,
 * where it enters the gateway.
 */
export interface PluginEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * Events of external senders that windows understand (specification, Plugin events). For types the
 * gateway also sends, the requirements for external senders are less strict.
 */
export const pluginEventSchema = z.discriminatedUnion('type', [
  /** Further text, appended at the end if it has no `offset`. */
  z.object({
    type: z.literal('chat:message:delta'),
    data: textData.extend({ offset: z.number().optional() }),
  }),
  z.object({ type: z.literal('message'), data: textData }),
  /** Text that replaces the previous one. */
  z.object({ type: z.literal('replace'), data: textData }),
  z.object({ type: z.literal('chat:message'), data: textData }),
  /** Status line of a plugin in its own wording. */
  z.object({ type: z.literal('status'), data: jsonObjectSchema }),
  z.object({ type: z.literal('source'), data: jsonObjectSchema }),
  z.object({ type: z.literal('citation'), data: jsonObjectSchema }),
  /** Files, added to the existing ones, or with `replace: true` replacing them. */
  z.object({ type: z.literal('files'), data: filesData }),
  z.object({ type: z.literal('chat:message:files'), data: filesData }),
  z.object({ type: z.literal('embeds'), data: embedsData }),
  z.object({ type: z.literal('chat:message:embeds'), data: embedsData }),
  z.object({
    type: z.literal('chat:message:favorite'),
    data: z.object({ favorite: z.unknown().optional() }),
  }),
  /**
   * Another version of a fenced code block of an answer, edited by its reader; `block` is the index
   * of the block among those of the answer. Stored with the message in `artifacts`.
   */
  z.object({
    type: z.literal('chat:message:artifact'),
    data: z.object({
      id: z.string().min(1).max(64),
      block: z.int().min(0).max(10_000),
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
  /** Code to run in the page. */
  z.object({ type: z.literal('execute'), data: z.object({ code: z.string() }) }),
])

/** Event as received by a window. */
export type EventData = (GatewayEvent | z.output<typeof pluginEventSchema>) & {
  /**
   * Index in its list (`statusHistory`, `sources`, `files`, `embeds`, `artifacts`) at which the
   * first item added by an event is stored, so that a reader who loaded the message meanwhile
   * neither adds it twice nor misses it. Absent for data that is not a list or not stored.
   */
  readonly index?: number
}

type EventType = EventData['type']
type DataOf<Type extends EventType> = Extract<EventData, { readonly type: Type }>['data']

/** Effect of events of a type on their message. */
type EventEffect<Type extends EventType> =
  /** Adds `data` to a list, or the items in `from`, which replace it if `data.replace` is true. */
  | {
      readonly adds: string
      readonly from?: keyof DataOf<Type> & string
      readonly isStored: boolean
    }
  /** Sets a field to the value of `from`. */
  | {
      readonly sets: string
      readonly from: keyof DataOf<Type> & string
      readonly isStored: boolean
    }
  /** Has code of its own in both `apply-event.ts`. */
  | 'own'
  /** None: the event is about a chat, or is drawn elsewhere. */
  | null

/**
 * Effect of each event on its message, applied by the gateway and by windows; every event has a
 * row. `isStored` is true if the gateway stores the effect when the event is sent, and false if the
 * run of the answer stores it, or nothing does.
 */
export const EVENT_EFFECTS = {
  status: { adds: 'statusHistory', isStored: true },
  files: { adds: 'files', from: 'files', isStored: true },
  'chat:message:files': { sets: 'files', from: 'files', isStored: false },
  embeds: { adds: 'embeds', from: 'embeds', isStored: true },
  'chat:message:embeds': { adds: 'embeds', from: 'embeds', isStored: false },
  'chat:message:artifact': { adds: 'artifacts', isStored: true },
  'chat:message:follow_ups': { sets: 'followUps', from: 'follow_ups', isStored: false },
  message: 'own',
  replace: 'own',
  source: 'own',
  citation: 'own',
  'chat:message:delta': 'own',
  'chat:reasoning:delta': 'own',
  'chat:completion': 'own',
  'chat:message': 'own',
  'chat:message:error': 'own',
  'chat:message:favorite': 'own',
  'chat:message:created': null,
  'chat:outlet': null,
  'chat:title': null,
  'chat:tags': null,
  'chat:active': null,
  'chat:list': null,
  notification: null,
  execute: null,
  'code:progress': null,
  'image:progress': null,
  'file:status': null,
} as const satisfies { readonly [Type in EventType]: EventEffect<Type> }

/** Event with code of its own in both `apply-event.ts`. */
export type OwnEvent = Extract<
  EventData,
  {
    readonly type: {
      [Type in EventType]: (typeof EVENT_EFFECTS)[Type] extends 'own' ? Type : never
    }[EventType]
  }
>

/**
 * Event of a type the gateway does not know, sent to windows. They receive only `data`, unchanged,
 * and ignore it; other clients may understand it.
 */
export interface ForeignEvent {
  readonly type: 'foreign'
  readonly data: PluginEvent
}

/** Data of a `call` frame: a request of the gateway to the window of a request. */
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
  /**
   * Answered with [data, headers], the response the window received from a tool server of the user.
   */
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
  /** Answered with the result (`codeAnswerSchema` of `code.ts`). */
  | { readonly type: 'execute:python'; readonly data: PythonCall }

/** Request of a plugin to the window of a request; the dialog reads `data` when it is rendered. */
export interface PluginCall {
  readonly type: 'confirmation' | 'input' | 'execute'
  readonly data: Readonly<Record<string, unknown>>
}

/** Frames sent by the server. */
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
  /** The answer of this call is no longer awaited. */
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
   * First frame: a session token or API key, or the second half of the session whose cookie was
   * sent with the upgrade.
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
