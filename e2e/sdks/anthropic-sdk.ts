import Anthropic from '@anthropic-ai/sdk'
import { failureOf, QUESTION, TOOL_NAME, TOOL_PARAMETERS, type SdkAdapter } from './adapter.ts'

const messages = [{ role: 'user' as const, content: QUESTION }]
const tools = [{ name: TOOL_NAME, input_schema: TOOL_PARAMETERS }]

const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

const toolCallsOf = ({ content, stop_reason: reason }: Anthropic.Message) => {
  if (reason !== 'tool_use') throw new Error(`The answer ended with ${reason}.`)
  return content.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
  )
}

/** The messages SDK; its base address is the one of the chat-completions SDK. */
export function createAnthropicAdapter(base: string, key: string): SdkAdapter {
  const connect = (apiKey: string) =>
    new Anthropic({ baseURL: `${base}/api`, apiKey, maxRetries: 0 })
  const client = connect(key)
  const limits = { max_tokens: 1000 }
  return {
    name: '@anthropic-ai/sdk',
    prefix: '',
    async list() {
      const ids = []
      for await (const { id } of client.models.list()) ids.push(id)
      return ids
    },
    chat: async (model) => textOf(await client.messages.create({ model, messages, ...limits })),
    async stream(model) {
      const pieces: string[] = []
      const stream = client.messages
        .stream({ model, messages, ...limits })
        .on('text', (piece) => void pieces.push(piece))
      const whole = textOf(await stream.finalMessage())
      if (whole !== pieces.join('')) throw new Error('The pieces are not the whole.')
      return pieces
    },
    tools: async (model) =>
      toolCallsOf(await client.messages.create({ model, messages, tools, ...limits })),
    streamedTools: async (model) =>
      toolCallsOf(
        await client.messages.stream({ model, messages, tools, ...limits }).finalMessage(),
      ),
    async image(model, png) {
      const content: Anthropic.ContentBlockParam[] = [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'text', text: 'What is this?' },
      ]
      return textOf(
        await client.messages.create({ model, messages: [{ role: 'user', content }], ...limits }),
      )
    },
    fail: (model, apiKey) =>
      failureOf(
        () => connect(apiKey).messages.create({ model, messages, ...limits }),
        (thrown) => {
          if (!(thrown instanceof Anthropic.APIError)) throw thrown
          return { status: thrown.status as number | undefined, message: thrown.message }
        },
      ),
    async cancel(model) {
      const stream = await client.messages.create({ model, messages, stream: true, ...limits })
      for await (const event of stream)
        if (event.type === 'content_block_delta') stream.controller.abort()
    },
  }
}
