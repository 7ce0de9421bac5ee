import { z } from './lazy-zod.ts'
import { chatCompletionSchema } from './completions.ts'
import { defineEndpoints } from './endpoint.ts'

/** Kinds of texts generated alongside an answer. */
export const GENERATION_KINDS = Object.freeze([
  'title',
  'tags',
  'follow_up',
  'queries',
  'image_prompt',
  'auto',
  'emoji',
  'moa',
] as const)
export type GenerationKind = (typeof GENERATION_KINDS)[number]

/** Settings of small tasks, under the names of their rows. */
export const tasksConfigSchema = z
  .object({
    TASK_MODEL: z.string(),
    TASK_MODEL_EXTERNAL: z.string(),
    ENABLE_TITLE_GENERATION: z.boolean(),
    TITLE_GENERATION_PROMPT_TEMPLATE: z.string(),
    ENABLE_TAGS_GENERATION: z.boolean(),
    TAGS_GENERATION_PROMPT_TEMPLATE: z.string(),
    ENABLE_FOLLOW_UP_GENERATION: z.boolean(),
    FOLLOW_UP_GENERATION_PROMPT_TEMPLATE: z.string(),
    ENABLE_AUTOCOMPLETE_GENERATION: z.boolean(),
    AUTOCOMPLETE_GENERATION_INPUT_MAX_LENGTH: z.int(),
    ENABLE_SEARCH_QUERY_GENERATION: z.boolean(),
    ENABLE_RETRIEVAL_QUERY_GENERATION: z.boolean(),
    QUERY_GENERATION_PROMPT_TEMPLATE: z.string(),
    TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE: z.string(),
    IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE: z.string(),
    ENABLE_VOICE_MODE_PROMPT: z.boolean(),
    VOICE_MODE_PROMPT_TEMPLATE: z.string(),
  })
  .meta({ id: 'TasksConfig' })
export type TasksConfig = z.output<typeof tasksConfigSchema>

/**
 * Changes some settings; an empty prompt or null restores the default. Unknown names are ignored.
 */
export const tasksConfigInputSchema = z
  .object(
    Object.fromEntries(
      Object.entries(tasksConfigSchema.shape).map(([key, schema]) => [key, schema.nullish()]),
    ) as {
      [K in keyof TasksConfig]: z.ZodOptional<z.ZodNullable<(typeof tasksConfigSchema.shape)[K]>>
    },
  )
  .meta({ id: 'TasksConfigInput' })

/**
 * The conversation as `messages`, or one text as `prompt`. `type` distinguishes web search from
 * retrieval, or names the kind of text being typed.
 */
export const generationRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    messages: z.array(z.looseObject({ role: z.string() })).nullish(),
    prompt: z.string().nullish(),
    type: z.string().max(100).nullish(),
    chat_id: z.string().max(256).nullish(),
  })
  .meta({
    id: 'GenerationRequest',
    example: { model: 'llama3.2', messages: [{ role: 'user', content: 'Why is the sky blue?' }] },
  })
export type GenerationRequest = z.output<typeof generationRequestSchema>

/** Answers of several models to one prompt, to be merged into one. */
export const mergeRequestSchema = generationRequestSchema
  .extend({
    prompt: z.string(),
    responses: z.array(z.string()).max(100),
    stream: z.boolean().nullish(),
  })
  .meta({ id: 'MergeRequest' })

/**
 * The text of the completion is a JSON object with the named field, regardless of any text the
 * model wrote around it.
 */
const generated = z.union([chatCompletionSchema, z.object({ detail: z.string() })])

const kind = <const Kind extends string>(name: Kind, summary: string) =>
  ({
    id: `generation.${name}`,
    method: 'POST',
    path: `/${name}/completions`,
    errorDialect: 'chat-completions',
    bodyLimit: 16 * 1024 * 1024,
    body: generationRequestSchema,
    response: generated,
    errors: [400, 404, 429, 502, 503, 504],
    summary,
  }) as const

export const generationEndpoints = defineEndpoints(
  { domain: 'generation', tag: 'Generation', root: '/api/v1/tasks' },
  {
    config: {
      method: 'GET',
      path: '/config',
      response: tasksConfigSchema,
      summary: 'Models, switches and prompts of titles, tags, follow-up questions and the like.',
    },
    updateConfig: {
      method: 'POST',
      path: '/config/update',
      auth: 'admin',
      body: tasksConfigInputSchema,
      response: tasksConfigSchema,
      errors: [400],
      summary:
        'Changes some of the models, switches and prompts; an empty prompt restores the default.',
    },
    activeChats: {
      method: 'POST',
      path: '/active/chats',
      body: z.object({ chat_ids: z.array(z.string().max(256)).max(10_000) }),
      response: z.object({ active_chat_ids: z.array(z.string()) }).meta({ id: 'ActiveChats' }),
      summary: 'Those of the given chats of the caller in which an answer is being written.',
    },
    title: kind('title', 'A title for a conversation, as {"title"}.'),
    tags: kind('tags', 'Topics of a conversation, as {"tags"}.'),
    followUp: kind('follow_up', 'Questions the person may ask next, as {"follow_ups"}.'),
    queries: kind(
      'queries',
      'Search queries for a conversation, as {"queries"}; `type` is web_search or retrieval.',
    ),
    imagePrompt: kind('image_prompt', 'The description of a picture to draw, as {"prompt"}.'),
    auto: kind('auto', 'How a text that is being typed may go on, as {"text"}.'),
    emoji: kind('emoji', 'One emoji for a sentence, as plain text.'),
    moa: {
      method: 'POST',
      path: '/moa/completions',
      reply: 'stream',
      errorDialect: 'chat-completions',
      bodyLimit: 16 * 1024 * 1024,
      body: mergeRequestSchema,
      response: chatCompletionSchema,
      errors: [400, 404, 429, 502, 503, 504],
      summary:
        'Merges the answers of several models to one prompt, as JSON or as a stream of events.',
    },
  },
)
