import Anthropic from '@anthropic-ai/sdk'
import {
  failureOf,
  QUESTION,
  TOOL_NAME,
  TOOL_PARAMETERS,
  type Failure,
  type SdkAdapter,
  type ToolCall,
} from './adapter.ts'

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

const limits = { max_tokens: 1000 }

/** The messages SDK; its base URL is that of the chat-completions SDK. */
export class AnthropicAdapter implements SdkAdapter {
  readonly name = '@anthropic-ai/sdk'
  readonly prefix = ''
  readonly #base: string
  readonly #client: Anthropic

  constructor(base: string, key: string) {
    this.#base = base
    this.#client = this.#connect(key)
  }

  async list(): Promise<string[]> {
    const ids = []
    for await (const { id } of this.#client.models.list()) ids.push(id)
    return ids
  }

  async chat(model: string): Promise<string> {
    return textOf(await this.#client.messages.create({ model, messages, ...limits }))
  }

  async stream(model: string): Promise<string[]> {
    const pieces: string[] = []
    const stream = this.#client.messages
      .stream({ model, messages, ...limits })
      .on('text', (piece) => void pieces.push(piece))
    const whole = textOf(await stream.finalMessage())
    if (whole !== pieces.join('')) throw new Error('The pieces are not the whole.')
    return pieces
  }

  async tools(model: string): Promise<ToolCall[]> {
    return toolCallsOf(await this.#client.messages.create({ model, messages, tools, ...limits }))
  }

  async streamedTools(model: string): Promise<ToolCall[]> {
    return toolCallsOf(
      await this.#client.messages.stream({ model, messages, tools, ...limits }).finalMessage(),
    )
  }

  async image(model: string, png: string): Promise<string> {
    const content: Anthropic.ContentBlockParam[] = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { type: 'text', text: 'What is this?' },
    ]
    return textOf(
      await this.#client.messages.create({
        model,
        messages: [{ role: 'user', content }],
        ...limits,
      }),
    )
  }

  fail(model: string, apiKey: string): Promise<Failure> {
    return failureOf(
      () => this.#connect(apiKey).messages.create({ model, messages, ...limits }),
      (thrown) => {
        if (!(thrown instanceof Anthropic.APIError)) throw thrown
        return { status: thrown.status as number | undefined, message: thrown.message }
      },
    )
  }

  async cancel(model: string): Promise<void> {
    const stream = await this.#client.messages.create({ model, messages, stream: true, ...limits })
    for await (const event of stream)
      if (event.type === 'content_block_delta') stream.controller.abort()
  }

  #connect(apiKey: string): Anthropic {
    return new Anthropic({ baseURL: `${this.#base}/api`, apiKey, maxRetries: 0 })
  }
}
