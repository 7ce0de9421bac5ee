import { Ollama, type Message, type ToolCall } from 'ollama'
import { failureOf, QUESTION, TOOL_NAME, TOOL_PARAMETERS, type SdkAdapter } from './adapter.ts'

const messages = [{ role: 'user', content: QUESTION }]
const tools = [
  {
    type: 'function',
    function: { name: TOOL_NAME, description: 'Tells the weather', parameters: TOOL_PARAMETERS },
  },
]

const toCalls = (calls: readonly ToolCall[] = []) =>
  calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments }))

/** The SDK of the local runtime, pointed at the gateway's proxy of it. */
export function createOllamaAdapter(base: string, key: string): SdkAdapter {
  const connect = (apiKey: string) =>
    new Ollama({ host: `${base}/llmhost`, headers: { Authorization: `Bearer ${apiKey}` } })
  const client = connect(key)
  async function* ask(model: string, more: { tools?: typeof tools } = {}): AsyncGenerator<Message> {
    for await (const { message } of await client.chat({ model, messages, stream: true, ...more }))
      yield message
  }
  return {
    name: 'ollama',
    prefix: 'local-',
    list: async () => (await client.list()).models.map(({ name }) => name),
    chat: async (model) => (await client.chat({ model, messages })).message.content,
    async stream(model) {
      const pieces = []
      for await (const { content } of ask(model)) if (content) pieces.push(content)
      return pieces
    },
    tools: async (model) =>
      toCalls((await client.chat({ model, messages, tools })).message.tool_calls),
    async streamedTools(model) {
      const calls = []
      for await (const message of ask(model, { tools })) calls.push(...toCalls(message.tool_calls))
      return calls
    },
    image: async (model, png) =>
      (
        await client.chat({
          model,
          messages: [{ role: 'user', content: 'What is this?', images: [png] }],
        })
      ).message.content,
    fail: (model, apiKey) =>
      failureOf(
        () => connect(apiKey).chat({ model, messages }),
        (thrown) => {
          if (!(thrown instanceof Error && thrown.name === 'ResponseError')) throw thrown
          return {
            status: (thrown as Error & { status_code: number }).status_code,
            message: thrown.message,
          }
        },
      ),
    async cancel(model) {
      const stream = await client.chat({ model, messages, stream: true })
      try {
        for await (const { message } of stream) if (message.content) stream.abort()
      } catch (thrown) {
        if (!(thrown instanceof Error && thrown.name === 'AbortError')) throw thrown
      }
    },
  }
}
