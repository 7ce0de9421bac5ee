import OpenAI from 'openai'
import type { ChatCompletion, ChatCompletionTool } from 'openai/resources/chat/completions'
import { failureOf, QUESTION, TOOL_NAME, TOOL_PARAMETERS, type SdkAdapter } from './adapter.ts'

const TOOLS: ChatCompletionTool[] = [
  { type: 'function', function: { name: TOOL_NAME, parameters: TOOL_PARAMETERS } },
]
const messages = [{ role: 'user' as const, content: QUESTION }]

const toolCallsOf = ({ choices }: ChatCompletion) =>
  (choices[0]!.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error(`A call of type ${call.type}.`)
    return { name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }
  })

/** The chat-completions SDK, at one of the base addresses it may be pointed to. */
export function createOpenAiAdapter(
  base: string,
  key: string,
  { place, prefix }: { place: string; prefix: string },
): SdkAdapter {
  const connect = (apiKey: string) => new OpenAI({ baseURL: base + place, apiKey, maxRetries: 0 })
  const client = connect(key)
  return {
    name: `openai at ${place}`,
    prefix,
    async list() {
      const ids = []
      for await (const { id } of client.models.list()) ids.push(id)
      return ids
    },
    chat: async (model) =>
      (await client.chat.completions.create({ model, messages })).choices[0]!.message.content ?? '',
    async stream(model) {
      const pieces = []
      for await (const chunk of await client.chat.completions.create({
        model,
        messages,
        stream: true,
      })) {
        pieces.push(chunk.choices[0]?.delta.content ?? '')
      }
      return pieces.filter(Boolean)
    },
    tools: async (model) =>
      toolCallsOf(await client.chat.completions.create({ model, messages, tools: TOOLS })),
    streamedTools: async (model) =>
      toolCallsOf(
        await client.chat.completions
          .stream({ model, messages, tools: TOOLS })
          .finalChatCompletion(),
      ),
    async image(model, png) {
      const content = [
        { type: 'text' as const, text: 'What is this?' },
        { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
      ]
      return (
        (await client.chat.completions.create({ model, messages: [{ role: 'user', content }] }))
          .choices[0]!.message.content ?? ''
      )
    },
    fail: (model, apiKey) =>
      failureOf(
        () => connect(apiKey).chat.completions.create({ model, messages }),
        (thrown) => {
          if (!(thrown instanceof OpenAI.APIError)) throw thrown
          return { status: thrown.status as number | undefined, message: thrown.message }
        },
      ),
    async cancel(model) {
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      for await (const chunk of stream)
        if (chunk.choices[0]?.delta.content) stream.controller.abort()
    },
  }
}
