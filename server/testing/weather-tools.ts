import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ToolBelt, ToolCall, ToolResult } from '../extensions/tool-belt.ts'
import type { Script, Step } from './fake-upstream/script.ts'
import type { Conversation } from './start-conversation.ts'
import { startExtendedConversation } from './start-extended-conversation.ts'
import { callTool, say } from './start-plugins.ts'
import type { Fields } from '../lib/is-record.ts'

const NAMES = ['get_weather', 'broken', 'chart', 'endless']

/** Tools of a scripted conversation, with a record of their calls. */
export class WeatherTools {
  /** The steps of the model in each round; the last entry is repeated for all further rounds. */
  rounds: (readonly Step[])[] = []
  /** The answer of the task model when it is asked to choose tools. */
  choice = ''
  called: ToolCall[] = []
  running = 0
  mostRunning = 0
  closed = 0
  approve: ToolBelt['approve']

  constructor() {
    this.reset()
  }

  reset(): void {
    this.rounds = [
      [say('Let me look.'), callTool('get_weather', { city: 'Örebro' })],
      [say('It is 12 degrees.')],
    ]
    this.called = []
    this.running = 0
    this.mostRunning = 0
    this.closed = 0
    this.approve = undefined
  }

  readonly script: Script = async ({ messages, body }) => {
    const isTask = body['max_tokens'] === 1000
    if (isTask) return { steps: [{ kind: 'content', text: this.choice }] }
    const round =
      messages.filter(({ role }) => role === 'tool').length === 0
        ? 0
        : messages.filter((message) => 'tool_calls' in message).length
    const usage: Step = { kind: 'usage', prompt: 10, completion: 5 }
    return { steps: [...(this.rounds[Math.min(round, this.rounds.length - 1)] ?? []), usage] }
  }

  createBelt(): ToolBelt {
    return {
      specs: NAMES.map((name) => ({
        name,
        description: `Does ${name}.`,
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      })),
      originOf: (name) => `weather/${name}`,
      isParallel: (name) => name === 'get_weather',
      ...(this.approve && { approve: this.approve }),
      call: (call, { signal }) => this.#run(call, signal),
      close: () => void (this.closed += 1),
    }
  }

  async #run(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    this.called.push(call)
    this.running += 1
    this.mostRunning = Math.max(this.mostRunning, this.running)
    try {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return await answer(call, signal)
    } finally {
      this.running -= 1
    }
  }
}

async function answer({ name, arguments: given }: ToolCall, signal: AbortSignal) {
  if (name === 'broken') throw new Error('The oven is cold.')
  signal.throwIfAborted()
  if (name === 'endless')
    await new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    )
  if (name === 'chart')
    return { text: 'drawn', embeds: ['<p>chart</p>'], files: [{ type: 'image', url: '/x.png' }] }
  return {
    text: `12 degrees in ${JSON.stringify(given['city'] ?? 'nowhere').slice(1, -1)} <b>"now"</b>`,
  }
}

/** Starts a conversation with `WeatherTools`, for the tests of one file. */
export function useWeatherTools() {
  const weather = new WeatherTools()
  let conversation: Conversation
  beforeAll(async () => {
    conversation = await startExtendedConversation(
      () => ({
        tools: (_, request) =>
          request.tool_ids?.includes('weather') ? weather.createBelt() : null,
      }),
      { upstream: { models: ['text'], script: weather.script } },
    )
  })
  afterAll(() => conversation.close())
  beforeEach(() => {
    weather.reset()
    conversation.upstream.requests.length = 0
  })
  const ask = (more: Fields = {}) => ({
    model: 'text',
    messages: [{ role: 'user', content: 'How warm?' }],
    tool_ids: ['weather'],
    ...more,
  })
  const upstreamBodies = (): Fields[] => conversation.upstream.requests.map(({ json }) => json!)
  return {
    weather,
    conversation: () => conversation,
    ask,
    upstreamBodies,
    /** Returns the tool results in the last request to the model. */
    toolTexts: (): string[] =>
      (upstreamBodies().at(-1)!['messages'] as { role: string; content: string }[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
    askInChat: async (more: Fields = {}) => {
      const chat = await conversation.createChat('How warm?')
      const response = await conversation.complete(
        ask({ chat_id: chat.chat_id, id: chat.id, ...more }),
      )
      return { chat, response }
    },
  }
}
