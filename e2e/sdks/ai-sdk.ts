import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, streamText, tool } from 'ai'
import {
  failureOf,
  QUESTION,
  TOOL_NAME,
  TOOL_PARAMETERS,
  type Failure,
  type SdkAdapter,
  type ToolCall,
} from './adapter.ts'

const tools = {
  [TOOL_NAME]: tool({
    description: 'Tells the weather',
    inputSchema: jsonSchema(TOOL_PARAMETERS as Parameters<typeof jsonSchema>[0]),
  }),
}

interface MadeCall {
  readonly toolName: string
  readonly input: unknown
}

const toCalls = (calls: readonly MadeCall[]) =>
  calls.map(({ toolName, input }) => ({ name: toolName, arguments: input }))

/** The provider-neutral SDK with its adapter for compatible servers. */
export class AiAdapter implements SdkAdapter {
  readonly name = 'ai with @ai-sdk/openai-compatible'
  readonly prefix = ''
  readonly #base: string
  readonly #key: string

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  async chat(model: string): Promise<string> {
    return (await generateText({ ...this.#ask(model), prompt: QUESTION })).text
  }

  async stream(model: string): Promise<string[]> {
    const pieces = []
    for await (const piece of streamText({ ...this.#ask(model), prompt: QUESTION }).textStream)
      pieces.push(piece)
    return pieces
  }

  async tools(model: string): Promise<ToolCall[]> {
    return toCalls((await generateText({ ...this.#ask(model), prompt: QUESTION, tools })).toolCalls)
  }

  async streamedTools(model: string): Promise<ToolCall[]> {
    return toCalls(await streamText({ ...this.#ask(model), prompt: QUESTION, tools }).toolCalls)
  }

  async image(model: string, png: string): Promise<string> {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'file' as const, data: png, mediaType: 'image/png' },
    ]
    return (await generateText({ ...this.#ask(model), messages: [{ role: 'user', content }] })).text
  }

  fail(model: string, apiKey: string): Promise<Failure> {
    return failureOf(
      () => generateText({ ...this.#ask(model, apiKey), prompt: QUESTION }),
      (thrown) => {
        if (!APICallError.isInstance(thrown)) throw thrown
        return { status: thrown.statusCode, message: thrown.message }
      },
    )
  }

  async cancel(model: string): Promise<void> {
    const leave = new AbortController()
    const { textStream } = streamText({
      ...this.#ask(model),
      prompt: QUESTION,
      abortSignal: leave.signal,
    })
    for await (const piece of textStream) if (piece) leave.abort()
  }

  #ask(model: string, apiKey = this.#key) {
    const connect = createOpenAICompatible({
      name: 'gateway',
      baseURL: `${this.#base}/api`,
      apiKey,
    })
    return { model: connect(model), maxRetries: 0 }
  }
}
