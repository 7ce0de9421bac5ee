import { HumanMessage, type AIMessage, type AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import {
  failureOf,
  QUESTION,
  TOOL_NAME,
  TOOL_PARAMETERS,
  type Failure,
  type SdkAdapter,
  type ToolCall,
} from './adapter.ts'

const TOOLS = [
  {
    type: 'function' as const,
    function: { name: TOOL_NAME, description: 'Tells the weather', parameters: TOOL_PARAMETERS },
  },
]

const textOf = (message: AIMessage | AIMessageChunk): string => message.text

const toCalls = (message: AIMessage | AIMessageChunk) =>
  (message.tool_calls ?? []).map(({ name, args }) => ({ name, arguments: args as unknown }))

/** The chain library's model class for compatible servers. */
export class LangchainAdapter implements SdkAdapter {
  readonly name = '@langchain/openai'
  readonly prefix = ''
  readonly #base: string
  readonly #key: string

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  async chat(model: string): Promise<string> {
    return textOf(await this.#connect(model).invoke(QUESTION))
  }

  async stream(model: string): Promise<string[]> {
    const pieces = []
    for await (const chunk of await this.#connect(model).stream(QUESTION))
      pieces.push(textOf(chunk))
    return pieces.filter(Boolean)
  }

  async tools(model: string): Promise<ToolCall[]> {
    return toCalls(await this.#connect(model).bindTools(TOOLS).invoke(QUESTION))
  }

  async streamedTools(model: string): Promise<ToolCall[]> {
    let whole: AIMessageChunk | undefined
    for await (const chunk of await this.#connect(model).bindTools(TOOLS).stream(QUESTION))
      whole = whole ? whole.concat(chunk) : chunk
    return whole ? toCalls(whole) : []
  }

  async image(model: string, png: string): Promise<string> {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
    ]
    return textOf(await this.#connect(model).invoke([new HumanMessage({ content })]))
  }

  fail(model: string, apiKey: string): Promise<Failure> {
    return failureOf(
      () => this.#connect(model, apiKey).invoke(QUESTION),
      (thrown) => {
        if (!(thrown instanceof Error) || !('status' in thrown)) throw thrown
        return { status: thrown.status as number, message: thrown.message }
      },
    )
  }

  async cancel(model: string): Promise<void> {
    const leave = new AbortController()
    try {
      for await (const chunk of await this.#connect(model).stream(QUESTION, {
        signal: leave.signal,
      }))
        if (textOf(chunk)) leave.abort()
    } catch (thrown) {
      if (!leave.signal.aborted) throw thrown
    }
  }

  #connect(model: string, apiKey = this.#key): ChatOpenAI {
    const configuration = { baseURL: `${this.#base}/api` }
    return new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration })
  }
}
