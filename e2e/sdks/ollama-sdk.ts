import { Ollama, type Message, type ToolCall as RuntimeCall } from 'ollama'
import {
  failureOf,
  QUESTION,
  TOOL_NAME,
  TOOL_PARAMETERS,
  type Failure,
  type SdkAdapter,
  type ToolCall,
} from './adapter.ts'

const messages = [{ role: 'user', content: QUESTION }]
const tools = [
  {
    type: 'function',
    function: { name: TOOL_NAME, description: 'Tells the weather', parameters: TOOL_PARAMETERS },
  },
]

const toCalls = (calls: readonly RuntimeCall[] = []) =>
  calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments }))

/** The SDK of the local runtime, pointed at the gateway's proxy of it. */
export class OllamaAdapter implements SdkAdapter {
  readonly name = 'ollama'
  readonly prefix = 'local-'
  readonly #base: string
  readonly #client: Ollama

  constructor(base: string, key: string) {
    this.#base = base
    this.#client = this.#connect(key)
  }

  async list(): Promise<string[]> {
    return (await this.#client.list()).models.map(({ name }) => name)
  }

  async chat(model: string): Promise<string> {
    return (await this.#client.chat({ model, messages })).message.content
  }

  async stream(model: string): Promise<string[]> {
    const pieces = []
    for await (const { content } of this.#ask(model)) if (content) pieces.push(content)
    return pieces
  }

  async tools(model: string): Promise<ToolCall[]> {
    return toCalls((await this.#client.chat({ model, messages, tools })).message.tool_calls)
  }

  async streamedTools(model: string): Promise<ToolCall[]> {
    const calls = []
    for await (const message of this.#ask(model, { tools }))
      calls.push(...toCalls(message.tool_calls))
    return calls
  }

  async image(model: string, png: string): Promise<string> {
    return (
      await this.#client.chat({
        model,
        messages: [{ role: 'user', content: 'What is this?', images: [png] }],
      })
    ).message.content
  }

  fail(model: string, apiKey: string): Promise<Failure> {
    return failureOf(
      () => this.#connect(apiKey).chat({ model, messages }),
      (thrown) => {
        if (!(thrown instanceof Error && thrown.name === 'ResponseError')) throw thrown
        return {
          status: (thrown as Error & { status_code: number }).status_code,
          message: thrown.message,
        }
      },
    )
  }

  async cancel(model: string): Promise<void> {
    const stream = await this.#client.chat({ model, messages, stream: true })
    try {
      for await (const { message } of stream) if (message.content) stream.abort()
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === 'AbortError')) throw thrown
    }
  }

  #connect(apiKey: string): Ollama {
    const headers = { Authorization: `Bearer ${apiKey}` }
    return new Ollama({ host: `${this.#base}/llmhost`, headers })
  }

  async *#ask(model: string, more: { tools?: typeof tools } = {}): AsyncGenerator<Message> {
    const request = { model, messages, stream: true as const, ...more }
    for await (const { message } of await this.#client.chat(request)) yield message
  }
}
