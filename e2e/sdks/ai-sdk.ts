import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, streamText, tool } from 'ai'
import { failureOf, QUESTION, TOOL_NAME, TOOL_PARAMETERS, type SdkAdapter } from './adapter.ts'

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
export function createAiAdapter(base: string, key: string): SdkAdapter {
  const connect = (apiKey: string) =>
    createOpenAICompatible({ name: 'gateway', baseURL: `${base}/api`, apiKey })
  const ask = (model: string, apiKey = key) => ({ model: connect(apiKey)(model), maxRetries: 0 })
  return {
    name: 'ai with @ai-sdk/openai-compatible',
    prefix: '',
    chat: async (model) => (await generateText({ ...ask(model), prompt: QUESTION })).text,
    async stream(model) {
      const pieces = []
      for await (const piece of streamText({ ...ask(model), prompt: QUESTION }).textStream)
        pieces.push(piece)
      return pieces
    },
    tools: async (model) =>
      toCalls((await generateText({ ...ask(model), prompt: QUESTION, tools })).toolCalls),
    streamedTools: async (model) =>
      toCalls(await streamText({ ...ask(model), prompt: QUESTION, tools }).toolCalls),
    async image(model, png) {
      const content = [
        { type: 'text' as const, text: 'What is this?' },
        { type: 'file' as const, data: png, mediaType: 'image/png' },
      ]
      return (await generateText({ ...ask(model), messages: [{ role: 'user', content }] })).text
    },
    fail: (model, apiKey) =>
      failureOf(
        () => generateText({ ...ask(model, apiKey), prompt: QUESTION }),
        (thrown) => {
          if (!APICallError.isInstance(thrown)) throw thrown
          return { status: thrown.statusCode, message: thrown.message }
        },
      ),
    async cancel(model) {
      const leave = new AbortController()
      const { textStream } = streamText({
        ...ask(model),
        prompt: QUESTION,
        abortSignal: leave.signal,
      })
      for await (const piece of textStream) if (piece) leave.abort()
    },
  }
}
