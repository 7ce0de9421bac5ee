import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Script, Step } from '../../testing/fake-upstream/script.ts'
import { pluginEnvironment, pluginPython } from '../../testing/plugin-python.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

type Body = Record<string, unknown>

/** Steps of the model in each round; the last entry is repeated for all further rounds. */
let rounds: (readonly Step[])[] = []
const script: Script = async ({ messages }) => {
  const count = messages.filter(
    ({ role, content }) =>
      role === 'tool' || (typeof content === 'string' && content.startsWith('The code was run.')),
  ).length
  return {
    steps: [
      ...(rounds[Math.min(count, rounds.length - 1)] ?? []),
      { kind: 'usage', prompt: 10, completion: 5 },
    ],
  }
}
const say = (text: string): Step => ({ kind: 'content', text })
const write = (code: string): Step =>
  say(`<code_interpreter type="code" lang="python">\n${code}\n</code_interpreter>`)
const call = (code: string, id: string): Step => ({
  kind: 'tool',
  name: 'execute_code',
  arguments: { code },
  id,
})
/** Shows a picture without any package. */
const DRAW = `import base64
class Picture:
    def _repr_png_(self):
        return base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
Picture()`

let conversation: Conversation
beforeAll(async () => {
  const environment = {
    ...pluginEnvironment,
    ENABLE_API_KEYS: 'true',
    CODE_INTERPRETER_MAX_ROUNDS: '3',
    WEBSOCKET_EVENT_CALLER_TIMEOUT: '30',
  }
  conversation = await startConversation({ upstream: { models: ['text'], script }, environment })
}, 60_000)
afterAll(() => conversation.close())
beforeEach(() => void (conversation.upstream.requests.length = 0))

const features = { code_interpreter: true }
const ask = (more: Body = {}): Body => ({
  model: 'text',
  messages: [{ role: 'user', content: 'How much?' }],
  features,
  ...more,
})
const lastMessages = () =>
  conversation.upstream.requests.at(-1)!.json!['messages'] as { role: string; content: string }[]
const inBlocks = { params: { function_calling: 'default' } }

describe('In a window', () => {
  it('code the model calls for runs there, and what the reference answers with is enough', async () => {
    rounds = [[call('6 * 7', 'c1')], [say('It is 42.')]]
    const socket = await conversation.openSocket()
    const asked: Body[] = []
    socket.answerCalls((data) => {
      asked.push(data as Body)
      return { stdout: 'here\ndata:image/png;base64,iVBORw0KGgo=\n', stderr: '', result: 42 }
    })
    const chat = await conversation.createChat('How much?')
    const body = ask({
      chat_id: chat.chat_id,
      id: chat.id,
      session_id: socket.sessionId,
    })
    expect(await (await conversation.complete(body)).json()).toMatchObject({ status: true })
    const message = await conversation.finished(chat)
    expect(asked).toMatchObject([
      {
        type: 'execute:python',
        data: { code: '6 * 7', session_id: socket.sessionId, files: [], timeout: 60 },
      },
    ])
    expect(message.content).toContain('It is 42.')
    expect(message['code_executions']).toMatchObject([
      {
        type: 'code_execution',
        code: '6 * 7',
        language: 'python',
        result: { output: 'here\n\n42' },
      },
    ])
    expect(message['files']).toMatchObject([
      { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
    ])
    expect(lastMessages().at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Value of the last line: 42') as string,
    })
    socket.close()
  })
})

describe('An answer that is stopped', () => {
  it('says with the code it was running that this was stopped, and shows nothing as under way', async () => {
    rounds = [[call('while True: pass', 'c1')]]
    const socket = await conversation.openSocket()
    const chat = await conversation.createChat('How much?')
    const body = ask({ chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId })
    await conversation.complete(body)
    await expect.poll(() => socket.frames.some(({ type }) => type === 'call')).toBe(true)
    await conversation.server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop`, {
      token: conversation.token,
    })
    const message = await conversation.finished(chat)
    expect(message['code_executions']).toMatchObject([
      { result: { output: '', error: 'The code was stopped. Its variables are lost.' } },
    ])
    const history = message['statusHistory'] as { action: string; done: boolean }[]
    expect(history.findLast(({ action }) => action === 'code_interpreter')).toMatchObject({
      description: 'The code was stopped.',
      done: true,
    })
    socket.close()
  })
})

describe.skipIf(pluginPython === null || process.platform !== 'linux')('Without a window', () => {
  it(
    'a model that writes blocks is given output, error and a picture, and all is kept with the message',
    { timeout: 90_000 },
    async () => {
      rounds = [
        [say('Let me see. '), write('x = 6 * 7\nprint(x)'), say(' and this is not heard')],
        [write('y = x / 0')],
        [write(DRAW)],
        [say('Done.')],
      ]
      const chat = await conversation.createChat('How much?')
      const watcher = await conversation.openSocket()
      await (
        await conversation.complete(ask({ ...inBlocks, chat_id: chat.chat_id, id: chat.id }))
      ).json()
      const message = await conversation.readMessage(chat)
      const blocks = [
        ...message.content.matchAll(
          /<details type="code_interpreter" done="true" id="[^"]+" duration="[\d.]+" output="([^"]*)">/g,
        ),
      ]
      expect(blocks.map(([, output]) => output)).toEqual([
        '&quot;42&quot;',
        expect.stringContaining('ZeroDivisionError: division by zero'),
        expect.stringContaining('A picture was drawn'),
      ])
      expect(message.content).toMatch(
        /^Let me see\. \n\n<details[^]*<summary>Analyzed<\/summary>\n```python\nx = 6 \* 7\nprint\(x\)\n```\n<\/details>[^]*Done\.$/,
      )
      expect(message.content).not.toContain('not heard')
      const executions = message['code_executions'] as {
        id: string
        result: { output: string; error?: string; files: { url: string }[] }
      }[]
      expect(executions).toMatchObject([
        { result: { output: '42\n' } },
        { result: { error: expect.stringContaining('line 1, in <module>') as string } },
        {
          result: {
            files: [
              { name: 'picture-1', url: expect.stringMatching(/^\/api\/v1\/files\//) as string },
            ],
          },
        },
      ])
      const progress = watcher.frames
        .map(({ data }) => data as { type: string; data: Body } | undefined)
        .filter((data) => data?.type === 'code:progress')
        .map((data) => data!.data)
      expect(progress.filter(({ phase }) => phase === 'running')).toMatchObject(
        executions.map(({ id }) => ({ run_id: id, text: 'Running Python…' })),
      )
      watcher.close()
      const picture = await conversation.server.call('GET', executions[2]!.result.files[0]!.url, {
        token: conversation.token,
      })
      expect(picture.headers.get('content-type')).toBe('image/png')
      expect(message['files']).toMatchObject([
        { type: 'image', url: executions[2]!.result.files[0]!.url },
      ])
      expect(lastMessages()[0]!.content).toContain('<code_interpreter type="code"')
      // On the next question the model receives its own code and its result.
      rounds = [[say('Yes.')]]
      const next = { id: crypto.randomUUID(), role: 'user', content: 'Sure?', parentId: chat.id }
      const body = {
        chat_id: chat.chat_id,
        id: crypto.randomUUID(),
        parent_id: chat.id,
        user_message: next,
        messages: [],
        features: {},
      }
      await (await conversation.complete(ask(body))).json()
      expect(lastMessages().map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
      ])
      expect(lastMessages()[2]!.content).toContain('This came of it:\n\n42')
    },
  )

  it(
    'the SDK gets one answer of all rounds, in both forms, and code beyond the most rounds is not run',
    { timeout: 120_000 },
    async () => {
      const key = await conversation.server.call('POST', '/api/v1/auths/api_key', {
        token: conversation.token,
      })
      const { api_key: apiKey } = (await key.json()) as { api_key: string }
      const client = new OpenAI({
        baseURL: `${conversation.server.url}/api`,
        apiKey,
        maxRetries: 0,
      })
      rounds = [[call('print(6 * 7)', 'c1')], [call(DRAW, 'c2')], [say('It is 42.')]]
      const whole = await client.chat.completions.create(ask() as never)
      expect((whole as OpenAI.ChatCompletion).choices[0]).toMatchObject({
        message: { content: 'It is 42.' },
        finish_reason: 'stop',
      })
      const [, , first, , second] = lastMessages()
      expect(first).toMatchObject({ role: 'tool', content: '42' })
      // A script is shown nothing, so that the model has the address for its answer.
      const address = /kept at (\/api\/v1\/files\/[\w-]+\/content)/.exec(second!.content)![1]!
      const picture = await conversation.server.call('GET', address, { token: apiKey })
      expect(picture.headers.get('content-type')).toBe('image/png')
      rounds = [[say('So: '), write('1')]]
      const streamed = await client.chat.completions
        .stream(ask(inBlocks) as never)
        .finalChatCompletion()
      expect(streamed.choices[0]).toMatchObject({
        message: { content: 'So: \n\nSo: \n\nSo: \n\nSo: \n\n' },
        finish_reason: 'stop',
      })
      expect(conversation.upstream.requests).toHaveLength(3 + 4)
    },
  )

  it(
    'a window that closes in the middle leaves its code to the gateway',
    { timeout: 60_000 },
    async () => {
      rounds = [[call('print("from the gateway")', 'c1')], [say('There.')]]
      const socket = await conversation.openSocket()
      socket.answerCalls(() => {
        socket.close()
        return null
      })
      const chat = await conversation.createChat('How much?')
      // The process is started beforehand, so that the answer does not wait for it.
      await conversation.server.call('POST', '/api/v1/code/runs', {
        token: conversation.token,
        body: { code: '1', chat_id: chat.chat_id },
      })
      await conversation.complete(
        ask({ chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }),
      )
      const message = await conversation.finished(chat)
      expect(message['code_executions']).toMatchObject([
        { result: { output: 'from the gateway\n' }, outcome: { engine: 'gateway' } },
      ])
    },
  )
})
