import { z } from './lazy-zod.ts'
import { idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { imageOptionsSchema } from './images.ts'
import { connectionPlaceParams, RUNTIME_PATHS } from './runtime-proxy.ts'

/**
 * Finished conversation, its answer last, for the outlet stage; other fields are returned
 * unchanged.
 */
export const completedRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    messages: z.array(jsonObjectSchema),
    chat_id: z.string().max(256).nullish(),
    id: z.string().max(256).nullish(),
    session_id: z.string().max(256).nullish(),
  })
  .meta({
    id: 'CompletedRequest',
    example: {
      model: 'llama3.2',
      messages: [
        { role: 'user', content: 'Why is the sky blue?' },
        { role: 'assistant', content: 'Because air scatters blue light more than red.' },
      ],
    },
  })
export type CompletedRequest = z.output<typeof completedRequestSchema>

const toolCallSchema = z.looseObject({
  index: z.int().optional(),
  id: z.string().optional(),
  type: z.string().optional(),
  function: z
    .looseObject({ name: z.string().optional(), arguments: z.string().optional() })
    .optional(),
})

/** One frame of a streamed answer, in the internal format of the gateway. */
export const chatCompletionChunkSchema = z
  .looseObject({
    id: z.string().optional(),
    object: z.string().optional(),
    created: z.number().optional(),
    model: z.string().optional(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        delta: z.looseObject({
          role: z.string().optional(),
          content: z.string().nullable().optional(),
          reasoning_content: z.string().nullable().optional(),
          tool_calls: z.array(toolCallSchema).optional(),
        }),
        finish_reason: z.string().nullable().optional(),
      }),
    ),
    usage: jsonObjectSchema.nullable().optional(),
  })
  .meta({ id: 'ChatCompletionChunk' })
export type ChatCompletionChunk = z.output<typeof chatCompletionChunkSchema>

/**
 * Source of an answer: one file, page or tool result (docs/wire-format.md). `document` holds its
 * passages, `metadata` the location of each, `distances` its relevance, 0 to 1, higher is better.
 * The number a model cites is the position of the item in the list, counted from one.
 */
export const sourceSchema = z
  .looseObject({
    source: z.looseObject({
      id: z.string().optional(),
      name: z.string(),
      type: z.string().optional(),
      url: z.string().optional(),
    }),
    document: z.array(z.string()),
    metadata: z.array(jsonObjectSchema),
    distances: z.array(z.number()).optional(),
    /** True for the result of a tool. */
    tool_result: z.boolean().optional(),
  })
  .meta({ id: 'Source' })
export type Source = z.output<typeof sourceSchema>

/** Whole answer in the chat-completions format. */
export const chatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.number(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({
          role: z.string(),
          content: z.string().nullable(),
          reasoning_content: z.string().optional(),
          tool_calls: z.array(toolCallSchema).optional(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: jsonObjectSchema.optional(),
    /** Present if the gateway gave the model sources. */
    sources: z.array(sourceSchema).optional(),
  })
  .meta({
    id: 'ChatCompletion',
    example: {
      id: 'chatcmpl-1f0c',
      object: 'chat.completion',
      created: 1_780_000_000,
      model: 'llama3.2',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Because air scatters blue light more than red.' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 14, completion_tokens: 11, total_tokens: 25 },
    },
  })
export type ChatCompletion = z.output<typeof chatCompletionSchema>

export const backgroundTasksSchema = z.looseObject({
  title_generation: z.boolean().nullish(),
  tags_generation: z.boolean().nullish(),
  follow_up_generation: z.boolean().nullish(),
})

/** Parts of the gateway an answer may use, by name. */
export const featuresSchema = z.looseObject({
  code_interpreter: z.boolean().nullish(),
  web_search: z.boolean().nullish(),
  image_generation: z.boolean().nullish(),
  memory: z.boolean().nullish(),
  image_options: imageOptionsSchema.nullish(),
})

/** One of the models a question is sent to, and the message its answer is written to. */
export const fanOutTargetSchema = z.looseObject({
  model_id: z.string().min(1).max(512),
  message_id: idSchema,
  modelIdx: z.int().min(0).max(100).nullish(),
})

/**
 * Chat completion request (specification, Resources). Sampling fields and all fields not named here
 * are passed to the model unchanged. `chat_id` + `id` make the gateway own the run; `parent_id:
 * null` without `chat_id` creates the chat. `message_ids` asks several models at once, each writing
 * its own answer: a map of model id to message id, or a list. A `chat_id` that begins with `local:`
 * or `temporary:` is a conversation that is not stored. `files` are the sources for the model:
 * `{type, id}` of a file, collection, note or chat, `{type: 'text', name, content}` or `{type:
 * 'url', url}`; `context: 'full'` includes it as a whole. One that does not exist for the caller is
 * a 404. `skill_ids` name skills whose texts are prepended; one that does not exist for the caller
 * is left out with a status line. `tool_servers` are tool servers the window itself calls: `{url,
 * specs: [{name, description, parameters}], info?}` (docs/plugin-contract.md); they are left out
 * without the permission `features.direct_tool_servers` or a live `session_id` of the caller.
 * `features` enables parts of the gateway by name, and `features.image_options` sets the size and
 * number of images, and their seed. `continue_response` continues the answer `id` of the chat
 * instead of replacing it: its existing text is kept, and further text is appended. So does a
 * conversation whose last message is that answer. A reply that is not a stream contains the whole
 * text.
 */
export const chatCompletionRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    messages: z.array(z.looseObject({ role: z.string() })),
    stream: z.boolean().nullish(),
    temperature: z.number().nullish(),
    chat_id: z.string().max(256).nullish(),
    id: z.string().max(256).nullish(),
    continue_response: z.boolean().nullish(),
    message_ids: z
      .union([z.record(z.string().min(1).max(512), idSchema), z.array(fanOutTargetSchema).max(100)])
      .nullish(),
    session_id: z.string().max(256).nullish(),
    folder_id: z.string().max(256).nullish(),
    parent_id: z.string().max(256).nullish(),
    user_message: jsonObjectSchema.nullish(),
    parent_message: jsonObjectSchema.nullish(),
    background_tasks: backgroundTasksSchema.nullish(),
    features: featuresSchema.nullish(),
    variables: jsonObjectSchema.nullish(),
    params: jsonObjectSchema.nullish(),
    filter_ids: z.array(z.string()).nullish(),
    files: z.array(jsonObjectSchema).nullish(),
    tool_ids: z.array(z.string()).nullish(),
    skill_ids: z.array(z.string()).max(100).nullish(),
    tool_servers: z.array(jsonObjectSchema).max(1000).nullish(),
    tools: z.array(jsonObjectSchema).nullish(),
  })
  .meta({
    id: 'ChatCompletionRequest',
    example: {
      model: 'llama3.2',
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
      temperature: 0.7,
    },
  })
export type ChatCompletionRequest = z.output<typeof chatCompletionRequestSchema>

/** Immediate response of a run whose text is sent over the socket. */
export const runStartedSchema = z
  .object({
    status: z.literal(true),
    /** The first of `task_ids`; null if nothing runs. */
    task_id: z.string().nullable(),
    task_ids: z.array(z.string()),
    chat_id: z.string(),
  })
  .meta({ id: 'RunStarted' })
export type RunStarted = z.output<typeof runStartedSchema>

/**
 * Answers of several models without a live session and without `stream`, in the order requested.
 * With `stream` they are sent as one stream of events whose frames also carry `message_id` and
 * `model_id`.
 */
export const fanOutAnswerSchema = z
  .object({
    chat_id: z.string(),
    completions: z.array(
      z.object({
        message_id: z.string(),
        model_id: z.string(),
        completion: chatCompletionSchema.nullable(),
        error: z.looseObject({ message: z.string(), code: z.string() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'FanOutAnswer' })
export type FanOutAnswer = z.output<typeof fanOutAnswerSchema>

const taskStopSchema = z
  .object({ status: z.boolean(), message: z.string() })
  .meta({ id: 'TaskStop' })

export const completionEndpoints = defineEndpoints(
  { domain: 'completions', tag: 'Completions', root: '/api' },
  {
    chatCompletions: {
      method: 'POST',
      path: '/chat/completions',
      aliases: [
        '/api/v1/chat/completions',
        '/v1/chat/completions',
        '/llmhost/v1/chat/completions',
        '/ollama/v1/chat/completions',
        '/llmhost/v1/chat/completions/:url_idx',
        '/ollama/v1/chat/completions/:url_idx',
      ],
      reply: 'stream',
      errorDialect: 'chat-completions',
      takesAnyType: RUNTIME_PATHS,
      bodyLimit: 64 * 1024 * 1024,
      params: connectionPlaceParams,
      body: chatCompletionRequestSchema,
      response: z.union([chatCompletionSchema, runStartedSchema, fanOutAnswerSchema]),
      errors: [400, 403, 404, 409, 413, 429, 502, 503, 504],
      summary:
        'Answers a conversation, stateless or stored, as JSON, as a stream of events or over the socket.',
    },
    completed: {
      method: 'POST',
      path: '/chat/completed',
      aliases: ['/api/v1/chat/completed'],
      bodyLimit: 64 * 1024 * 1024,
      body: completedRequestSchema,
      response: completedRequestSchema,
      errors: [400, 404],
      summary: 'Runs the outlet filters on a finished conversation and returns the result.',
    },
    action: {
      method: 'POST',
      path: '/chat/actions/:action_id',
      aliases: ['/api/v1/chat/actions/:action_id'],
      params: z.object({ action_id: idSchema }),
      bodyLimit: 64 * 1024 * 1024,
      body: completedRequestSchema,
      response: z.unknown(),
      errors: [404],
      summary: 'Runs an action of a plugin on a message and answers what the action returns.',
    },
    stopTask: {
      id: 'tasks.stop',
      method: 'POST',
      path: '/tasks/stop/:task_id',
      params: z.object({ task_id: idSchema }),
      response: taskStopSchema,
      errors: [404],
      summary: 'Stops a running answer; its partial text is kept.',
    },
    listTasks: {
      id: 'tasks.list',
      method: 'GET',
      path: '/tasks',
      auth: 'admin',
      response: z.object({ tasks: z.array(z.string()) }),
      summary: 'Ids of all running answers.',
    },
    chatTasks: {
      id: 'tasks.ofChat',
      method: 'GET',
      path: '/tasks/chat/:chat_id',
      params: z.object({ chat_id: idSchema }),
      response: z.object({ task_ids: z.array(z.string()) }),
      summary: 'Ids of the running answers of a chat; empty for a foreign one.',
    },
    stopChatTasks: {
      id: 'tasks.stopChat',
      method: 'POST',
      path: '/tasks/chat/:chat_id/stop',
      params: z.object({ chat_id: idSchema }),
      query: z.object({ message_id: idSchema.optional() }),
      response: taskStopSchema,
      errors: [404],
      summary: 'Stops every running answer of a chat, or only the one that `message_id` names.',
    },
  },
)
