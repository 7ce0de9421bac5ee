import { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { connectionPlaceParams } from './runtime-proxy.ts'

const MOST_ANSWERS = 128

/**
 * Request to complete text: `prompt` is a text, a list of texts, or the same as tokens, which only
 * providers can read.
 */
export const textCompletionRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    prompt: z.union([z.string(), z.array(z.unknown())]).nullish(),
    stream: z.boolean().nullish(),
    n: z.int().min(1).max(MOST_ANSWERS).nullish(),
    best_of: z.int().min(0).max(MOST_ANSWERS).nullish(),
    echo: z.boolean().nullish(),
    suffix: z.string().nullish(),
    stream_options: jsonObjectSchema.nullish(),
  })
  .meta({
    id: 'TextCompletionRequest',
    example: { model: 'llama3.2', prompt: 'The sky is blue because', max_tokens: 64 },
  })
export type TextCompletionRequest = z.output<typeof textCompletionRequestSchema>

/** Whole answer: one choice for each prompt, or `n` of them, in the order of the prompts. */
export const textCompletionSchema = z
  .looseObject({
    id: z.string().optional(),
    object: z.string().optional(),
    created: z.number().optional(),
    model: z.string().optional(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        text: z.string(),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: jsonObjectSchema.nullish(),
  })
  .meta({ id: 'TextCompletion' })
export type TextCompletion = z.output<typeof textCompletionSchema>

export const textCompletionEndpoints = defineEndpoints(
  { domain: 'textCompletions', tag: 'Completions', root: '/api' },
  {
    create: {
      method: 'POST',
      path: '/completions',
      aliases: [
        '/api/v1/completions',
        '/v1/completions',
        '/openai/completions',
        '/llmhost/v1/completions',
        '/llmhost/v1/completions/:url_idx',
        '/ollama/v1/completions',
        '/ollama/v1/completions/:url_idx',
      ],
      reply: 'stream',
      errorDialect: 'chat-completions',
      bodyLimit: 64 * 1024 * 1024,
      takesAnyType: true,
      params: connectionPlaceParams,
      body: textCompletionRequestSchema,
      response: textCompletionSchema,
      errors: [400, 404, 413, 429, 502, 503, 504],
      summary: 'Completes text, as JSON or as a stream of events. Nothing is stored.',
    },
  },
)
