import { HumanMessage, type AIMessage, type AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { failureOf, QUESTION, TOOL_NAME, TOOL_PARAMETERS, type SdkAdapter } from './adapter.ts'

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
export function createLangchainAdapter(base: string, key: string): SdkAdapter {
  const connect = (model: string, apiKey = key) =>
    new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL: `${base}/api` } })
  return {
    name: '@langchain/openai',
    prefix: '',
    chat: async (model) => textOf(await connect(model).invoke(QUESTION)),
    async stream(model) {
      const pieces = []
      for await (const chunk of await connect(model).stream(QUESTION)) pieces.push(textOf(chunk))
      return pieces.filter(Boolean)
    },
    tools: async (model) => toCalls(await connect(model).bindTools(TOOLS).invoke(QUESTION)),
    async streamedTools(model) {
      let whole: AIMessageChunk | undefined
      for await (const chunk of await connect(model).bindTools(TOOLS).stream(QUESTION))
        whole = whole ? whole.concat(chunk) : chunk
      return whole ? toCalls(whole) : []
    },
    async image(model, png) {
      const content = [
        { type: 'text' as const, text: 'What is this?' },
        { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
      ]
      return textOf(await connect(model).invoke([new HumanMessage({ content })]))
    },
    fail: (model, apiKey) =>
      failureOf(
        () => connect(model, apiKey).invoke(QUESTION),
        (thrown) => {
          if (!(thrown instanceof Error) || !('status' in thrown)) throw thrown
          return { status: thrown.status as number, message: thrown.message }
        },
      ),
    async cancel(model) {
      const leave = new AbortController()
      try {
        for await (const chunk of await connect(model).stream(QUESTION, { signal: leave.signal }))
          if (textOf(chunk)) leave.abort()
      } catch (thrown) {
        if (!leave.signal.aborted) throw thrown
      }
    },
  }
}
