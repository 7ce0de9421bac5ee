import OpenAI from 'openai'
import type { ChatCompletion, ChatCompletionTool } from 'openai/resources/chat/completions'
import {
  failureOf,
  QUESTION,
  TOOL_NAME,
  TOOL_PARAMETERS,
  type Failure,
  type SdkAdapter,
  type ToolCall,
} from './adapter.ts'

const TOOLS: ChatCompletionTool[] = [
  { type: 'function', function: { name: TOOL_NAME, parameters: TOOL_PARAMETERS } },
]
const messages = [{ role: 'user' as const, content: QUESTION }]

const toolCallsOf = ({ choices }: ChatCompletion) =>
  (choices[0]!.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error(`A call of type ${call.type}.`)
    return { name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }
  })

/** The chat-completions SDK, with one of the base URLs it may use. */
export class OpenAiAdapter implements SdkAdapter {
  readonly name: string
  readonly prefix: string
  readonly #baseURL: string
  readonly #client: OpenAI

  constructor(base: string, key: string, { place, prefix }: { place: string; prefix: string }) {
    this.name = `openai at ${place}`
    this.prefix = prefix
    this.#baseURL = base + place
    this.#client = this.#connect(key)
  }

  async list(): Promise<string[]> {
    const ids = []
    for await (const { id } of this.#client.models.list()) ids.push(id)
    return ids
  }

  async chat(model: string): Promise<string> {
    return (
      (await this.#client.chat.completions.create({ model, messages })).choices[0]!.message
        .content ?? ''
    )
  }

  async stream(model: string): Promise<string[]> {
    const pieces = []
    for await (const chunk of await this.#client.chat.completions.create({
      model,
      messages,
      stream: true,
    })) {
      pieces.push(chunk.choices[0]?.delta.content ?? '')
    }
    return pieces.filter(Boolean)
  }

  async tools(model: string): Promise<ToolCall[]> {
    return toolCallsOf(
      await this.#client.chat.completions.create({ model, messages, tools: TOOLS }),
    )
  }

  async streamedTools(model: string): Promise<ToolCall[]> {
    return toolCallsOf(
      await this.#client.chat.completions
        .stream({ model, messages, tools: TOOLS })
        .finalChatCompletion(),
    )
  }

  async image(model: string, png: string): Promise<string> {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
    ]
    return (
      (await this.#client.chat.completions.create({ model, messages: [{ role: 'user', content }] }))
        .choices[0]!.message.content ?? ''
    )
  }

  fail(model: string, apiKey: string): Promise<Failure> {
    return failureOf(
      () => this.#connect(apiKey).chat.completions.create({ model, messages }),
      (thrown) => {
        if (!(thrown instanceof OpenAI.APIError)) throw thrown
        return { status: thrown.status as number | undefined, message: thrown.message }
      },
    )
  }

  async cancel(model: string): Promise<void> {
    const stream = await this.#client.chat.completions.create({ model, messages, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) stream.controller.abort()
  }

  #connect(apiKey: string): OpenAI {
    return new OpenAI({ baseURL: this.#baseURL, apiKey, maxRetries: 0 })
  }
}
