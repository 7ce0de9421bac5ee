import { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { connectionPlaceParams } from './runtime-proxy.ts'

/** Content block; blocks of other types are left out, as in the endpoint's reference system. */
const blockSchema = z.looseObject({ type: z.string() })
const contentSchema = z.union([z.string(), z.array(blockSchema)])

const toolSchema = z.looseObject({
  name: z.string().optional(),
  type: z.string().nullish(),
  description: z.string().nullish(),
  input_schema: jsonObjectSchema.nullish(),
})

const conversationFields = {
  model: z.string().min(1).max(512),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  system: contentSchema.nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
}

/** Request of the messages API (specification, Messages-API-compatible endpoint). */
export const messagesRequestSchema = z
  .looseObject({
    ...conversationFields,
    max_tokens: z.int().min(0).nullish(),
    stream: z.boolean().nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    stop_sequences: z.array(z.string()).nullish(),
  })
  .meta({
    id: 'MessagesRequest',
    example: {
      model: 'llama3.2',
      max_tokens: 256,
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    },
  })
export type MessagesRequest = z.output<typeof messagesRequestSchema>

/** Request to count the tokens of a conversation. */
export const countTokensRequestSchema = z
  .looseObject(conversationFields)
  .meta({ id: 'CountTokensRequest' })

/** Answer in the messages format. */
export const messagesAnswerSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    content: z.array(blockSchema),
    model: z.string(),
    stop_reason: z.string().nullable(),
    stop_sequence: z.string().nullable(),
    usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
  })
  .meta({ id: 'MessagesAnswer' })
export type MessagesAnswer = z.output<typeof messagesAnswerSchema>

export const messagesEndpoints = defineEndpoints(
  { domain: 'messages', tag: 'Completions', root: '/api/v1/messages' },
  {
    // First, because an alias of the other endpoint would interpret `count_tokens` as the number of
    // a backend.
    countTokens: {
      method: 'POST',
      path: '/count_tokens',
      aliases: [
        '/v1/messages/count_tokens',
        '/api/message/count_tokens',
        '/llmhost/v1/messages/count_tokens',
        '/ollama/v1/messages/count_tokens',
      ],
      errorDialect: 'messages',
      bodyLimit: 64 * 1024 * 1024,
      body: countTokensRequestSchema,
      response: z.object({ input_tokens: z.int() }),
      errors: [400, 413, 429, 502, 503, 504],
      summary: 'Counts the tokens of a conversation; an estimate unless the upstream can count.',
    },
    create: {
      method: 'POST',
      path: '',
      aliases: [
        '/v1/messages',
        '/api/message',
        '/llmhost/v1/messages',
        '/llmhost/v1/messages/:url_idx',
        '/ollama/v1/messages',
        '/ollama/v1/messages/:url_idx',
      ],
      reply: 'stream',
      errorDialect: 'messages',
      bodyLimit: 64 * 1024 * 1024,
      params: connectionPlaceParams,
      body: messagesRequestSchema,
      response: messagesAnswerSchema,
      errors: [400, 413, 429, 502, 503, 504],
      summary:
        'Answers a conversation in the messages format, as JSON or as a stream of events. Nothing is stored.',
    },
  },
)
