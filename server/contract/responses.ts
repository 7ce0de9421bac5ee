import { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { connectionPlaceParams } from './runtime-proxy.ts'

/** Item of a conversation: a message, a tool call, its result, or a kind that is left out. */
const inputItemSchema = z.looseObject({ type: z.string().nullish(), role: z.string().nullish() })

/**
 * Request of the responses API. Answers are not stored, so `previous_response_id` and `background`
 * are rejected.
 */
export const responsesRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    input: z.union([z.string(), z.array(inputItemSchema)]),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    text: z.looseObject({ format: jsonObjectSchema.nullish() }).nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    metadata: jsonObjectSchema.nullish(),
    previous_response_id: z.string().nullish(),
    background: z.boolean().nullish(),
    store: z.boolean().nullish(),
  })
  .meta({ id: 'ResponsesRequest', example: { model: 'llama3.2', input: 'Why is the sky blue?' } })
export type ResponsesRequest = z.output<typeof responsesRequestSchema>

/** Answer in the responses format. */
export const responsesAnswerSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: jsonObjectSchema.nullable(),
  })
  .meta({ id: 'ResponsesAnswer' })
export type ResponsesAnswer = z.output<typeof responsesAnswerSchema>

export const responsesEndpoints = defineEndpoints(
  { domain: 'responses', tag: 'Completions', root: '/openai' },
  {
    create: {
      method: 'POST',
      path: '/responses',
      aliases: [
        '/api/v1/responses',
        '/v1/responses',
        '/api/responses',
        '/llmhost/v1/responses',
        '/llmhost/v1/responses/:url_idx',
        '/ollama/v1/responses',
        '/ollama/v1/responses/:url_idx',
      ],
      reply: 'stream',
      errorDialect: 'chat-completions',
      bodyLimit: 64 * 1024 * 1024,
      params: connectionPlaceParams,
      body: responsesRequestSchema,
      response: responsesAnswerSchema,
      errors: [400, 413, 429, 502, 503, 504],
      summary:
        'Answers in the responses format, as JSON or as a stream of events. Nothing is stored.',
    },
  },
)
