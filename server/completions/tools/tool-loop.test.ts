import { beforeEach, describe, expect, test } from 'vitest'
import type { Step } from '../../testing/fake-upstream/script.ts'
import { callTool, say } from '../../testing/start-plugins.ts'
import { useWeatherTools } from '../../testing/weather-tools.ts'
import type { Approval } from '../../extensions/tool-belt.ts'

/** A tool call split into parts as an upstream may split it. */
const rawCall = (index: number, id: string, name: string, args: string): Step => {
  const delta = {
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
  }
  return {
    kind: 'raw',
    bytes: `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
  }
}

const { weather, conversation, ask, upstreamBodies, toolTexts, askInChat } = useWeatherTools()

describe('A model with tools of the gateway', () => {
  test('calls them, reads the result and answers; the caller of a stateless call gets the text of both rounds as one answer', async () => {
    const reply = (await (await conversation().complete(ask())).json()) as Record<string, never>
    expect(reply).toMatchObject({
      choices: [
        { message: { content: 'Let me look.\n\nIt is 12 degrees.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    })
    expect(weather.called).toEqual([
      { id: 'call_1', name: 'get_weather', arguments: { city: 'Örebro' } },
    ])
    const [first, second] = upstreamBodies()
    expect(first!['tools']).toMatchObject([
      { type: 'function', function: { name: 'get_weather' } },
      {},
      {},
      {},
    ])
    expect(first).not.toHaveProperty('tool_ids')
    expect((second!['messages'] as unknown[]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Örebro"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '12 degrees in Örebro <b>"now"</b>' },
    ])
    expect(weather.closed).toBe(1)
  })

  test('streams the same without the calls, ends once and tells the tokens of all rounds', async () => {
    const text = await (
      await conversation().complete(ask({ stream: true, stream_options: { include_usage: true } }))
    ).text()
    const frames = text
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
    expect(text).not.toContain('tool_calls')
    const choices = frames.flatMap(
      (frame) =>
        (frame['choices'] as { delta: { content?: string }; finish_reason: string | null }[]) ?? [],
    )
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(
      'Let me look.\n\nIt is 12 degrees.',
    )
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual(['stop'])
    expect(frames.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 30 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('in a chat shows each call as a folded block, keeps the parts in output, and reads them back as calls', async () => {
    const { chat, response } = await askInChat()
    await response.json()
    const message = await conversation().readMessage(chat)
    const result = '&quot;12 degrees in Örebro &lt;b&gt;\\&quot;now\\&quot;&lt;/b&gt;&quot;'
    expect(message.content).toBe(
      'Let me look.\n\n<details type="tool_calls" done="true" id="call_1" name="get_weather" arguments="&quot;{\\&quot;city\\&quot;:\\&quot;Örebro\\&quot;}&quot;" ' +
        `files="" embeds="&quot;&quot;" result="${result}">\n<summary>Tool Executed</summary>\n${result}\n</details>\n\nIt is 12 degrees.`,
    )
    expect(message).toMatchObject({ done: true, usage: { total_tokens: 30 } })
    expect(message['output']).toMatchObject([
      { type: 'message', content: [{ text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ text: expect.stringContaining('12 degrees') as string }],
      },
      { type: 'message', content: [{ text: 'It is 12 degrees.' }] },
    ])
    expect(message.statusHistory).toMatchObject([
      { action: 'tool_call', name: 'get_weather', done: false },
      { action: 'tool_call', name: 'get_weather', done: true },
    ])
    weather.rounds = [[say('Yes.')]]
    const next = { id: crypto.randomUUID(), role: 'user', content: 'Sure?', parentId: chat.id }
    await (
      await conversation().complete(
        ask({
          chat_id: chat.chat_id,
          id: crypto.randomUUID(),
          parent_id: chat.id,
          user_message: next,
          messages: [],
          tool_ids: [],
        }),
      )
    ).json()
    expect(upstreamBodies().at(-1)!['messages']).toEqual([
      { role: 'user', content: 'How warm?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Örebro"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '12 degrees in Örebro <b>"now"</b>' },
      { role: 'assistant', content: 'It is 12 degrees.' },
      { role: 'user', content: 'Sure?' },
    ])
  })

  test('a client that sends the thread itself, with the blocks in it, has the calls put back', async () => {
    const { chat, response } = await askInChat()
    await response.json()
    const { content } = await conversation().readMessage(chat)
    weather.rounds = [[say('Yes.')]]
    const messages = [
      { role: 'user', content: 'How warm?' },
      { role: 'assistant', content },
      { role: 'user', content: 'Sure?' },
    ]
    const next = { id: crypto.randomUUID(), role: 'user', content: 'Sure?', parentId: chat.id }
    const body = ask({
      chat_id: chat.chat_id,
      id: crypto.randomUUID(),
      parent_id: chat.id,
      user_message: next,
      messages,
      tool_ids: [],
    })
    await (await conversation().complete(body)).json()
    expect(
      (upstreamBodies().at(-1)!['messages'] as { role: string }[]).map(({ role }) => role),
    ).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    const foreign = `Before <details type="tool_calls" done="true" id="x" name="y">\n</details>\nafter`
    const other = ask({
      chat_id: chat.chat_id,
      id: crypto.randomUUID(),
      parent_id: chat.id,
      messages: [messages[0], { role: 'assistant', content: foreign }, messages[2]],
      tool_ids: [],
    })
    await (await conversation().complete(other)).json()
    expect((upstreamBodies().at(-1)!['messages'] as { content: string }[])[1]!.content).toBe(
      'Before after',
    )
  })

  test('runs calls that only read side by side, and others in order', async () => {
    weather.rounds = [
      [
        rawCall(0, 'a', 'get_weather', '{"city":"A"}'),
        rawCall(1, 'b', 'get_weather', '{"city":"B"}'),
      ],
      [say('Done.')],
    ]
    await (await conversation().complete(ask())).json()
    expect(weather.mostRunning).toBe(2)
    expect(toolTexts().map((text) => text.slice(0, 15))).toEqual([
      '12 degrees in A',
      '12 degrees in B',
    ])
    weather.mostRunning = 0
    weather.rounds = [
      [rawCall(0, 'a', 'chart', '{}'), rawCall(1, 'b', 'get_weather', '{}')],
      [say('Done.')],
    ]
    await (await conversation().complete(ask())).json()
    expect(weather.mostRunning).toBe(1)
  })

  test('an exception, an unknown name and broken arguments become the text the model reads', async () => {
    weather.rounds = [
      [
        rawCall(0, 'a', 'broken', '{}'),
        rawCall(1, 'b', 'nothing', '{}'),
        rawCall(2, 'c', 'get_weather', '{"city":'),
        rawCall(3, 'd', 'get_weather', ''),
      ],
      [say('I see.')],
    ]
    const reply = await (await conversation().complete(ask())).json()
    expect(reply).toMatchObject({ choices: [{ message: { content: 'I see.' } }] })
    expect(toolTexts()).toEqual([
      'The oven is cold.',
      expect.stringContaining('There is no tool "nothing". The tools are: get_weather'),
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('12 degrees in nowhere'),
    ])
    const sent = (
      upstreamBodies().at(-1)!['messages'] as {
        tool_calls?: { function: { arguments: string } }[]
      }[]
    )[1]!
    expect(sent.tool_calls!.map(({ function: target }) => target.arguments)).toEqual([
      '{}',
      '{}',
      '{}',
      '{}',
    ])
  })

  test('files and embeds of a tool reach the message', async () => {
    weather.rounds = [[callTool('chart')], [say('Here.')]]
    const { chat, response } = await askInChat()
    await response.json()
    const message = await conversation().readMessage(chat)
    expect(message.files).toEqual([{ type: 'image', url: '/x.png' }])
    expect(message.content).toContain('embeds="[&quot;&lt;p&gt;chart&lt;/p&gt;&quot;]"')
  })

  test('a model that never stops calling is asked to answer without tools after the cap', async () => {
    const { settings } = conversation().server.context
    await settings.update({ CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS: 3 })
    weather.rounds = [[callTool('get_weather')]]
    const reply = await (await conversation().complete(ask())).json()
    await settings.update({ CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS: null })
    expect(weather.called).toHaveLength(3)
    expect(upstreamBodies()).toHaveLength(4)
    expect(upstreamBodies().at(-1)).toMatchObject({ tool_choice: 'none' })
    expect(reply).toMatchObject({ choices: [{ finish_reason: 'length' }] })
  })

  test('stopping the answer ends a running tool, and what was written is kept', async () => {
    weather.rounds = [[say('Wait.'), callTool('endless')], [say('never')]]
    const socket = await conversation().openSocket()
    const { chat, response } = await askInChat({ session_id: socket.sessionId })
    const { task_id: taskId } = (await response.json()) as { task_id: string }
    await socket.event('status')
    await conversation().server.call('POST', `/api/tasks/stop/${taskId}`, {
      token: conversation().token,
    })
    const message = await conversation().finished(chat)
    expect(message).toMatchObject({ done: true, error: { code: 'stopped' } })
    expect(message.content).toContain('Wait.')
    expect(weather.closed).toBe(1)
    await expect.poll(() => weather.running).toBe(0)
    expect(message.statusHistory).toEqual([
      { action: 'tool_call', name: 'endless', description: 'Using endless…', done: false },
      { action: 'tool_call', name: 'endless', description: 'endless was stopped.', done: true },
    ])
    expect(message['output']).toMatchObject([
      { type: 'message' },
      { type: 'function_call', name: 'endless' },
      {
        type: 'function_call_output',
        output: [{ text: 'The call was stopped.' }],
        status: 'incomplete',
      },
    ])
  })

  test('stopping the answer while the person is asked about a call stops the call, and says nothing of a refusal', async () => {
    weather.approve = async (_, askPerson) => (await askPerson()).decision
    weather.rounds = [[callTool('get_weather')], [say('never')]]
    const socket = await conversation().openSocket()
    const { chat, response } = await askInChat({ session_id: socket.sessionId })
    const { task_id: taskId } = (await response.json()) as { task_id: string }
    await expect.poll(() => socket.frames.map(({ type }) => type)).toContain('call')
    await conversation().server.call('POST', `/api/tasks/stop/${taskId}`, {
      token: conversation().token,
    })
    const message = await conversation().finished(chat)
    expect(message).toMatchObject({
      error: { code: 'stopped' },
      statusHistory: [{}, { description: 'get_weather was stopped.' }],
    })
    expect(JSON.stringify(message['output'])).not.toContain('did not allow')
    await expect.poll(() => socket.frames.map(({ type }) => type)).toContain('call:cancel')
    expect(weather.called).toEqual([])
  })
})

describe('What the caller decides', () => {
  test('own tools are handed through and their calls come back unexecuted', async () => {
    const tools = [{ type: 'function', function: { name: 'mine', parameters: { type: 'object' } } }]
    weather.rounds = [[callTool('mine', { a: 1 })]]
    const reply = await (await conversation().complete(ask({ tools }))).json()
    expect(reply).toMatchObject({
      choices: [
        { message: { tool_calls: [{ function: { name: 'mine' } }] }, finish_reason: 'tool_calls' },
      ],
    })
    expect(upstreamBodies()[0]!['tools']).toEqual(tools)
    expect(weather.called).toEqual([])
  })

  test('function_calling "default" has the task model choose; results become sources of the answer', async () => {
    weather.rounds = [[say('12 [1].')]]
    weather.choice = 'Sure: {"tool_calls":[{"name":"get_weather","parameters":{"city":"Örebro"}}]}'
    const { chat, response } = await askInChat({ params: { function_calling: 'default' } })
    const source = {
      source: { name: 'weather/get_weather' },
      metadata: [{ parameters: { city: 'Örebro' } }],
      tool_result: true,
    }
    expect(await response.json()).toMatchObject({ sources: [source] })
    const [selection, asked] = upstreamBodies()
    expect(JSON.stringify(selection)).toContain('get_weather')
    expect(asked).not.toHaveProperty('tools')
    expect(JSON.stringify(asked!['messages'])).toContain(
      '<source id=\\"1\\" name=\\"weather/get_weather\\">',
    )
    expect(await conversation().readMessage(chat)).toMatchObject({
      content: '12 [1].',
      sources: [source],
    })
  })

  test('function_calling "default" tells the task model the tools once, however often it is asked', async () => {
    await conversation().server.context.settings.update({
      TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE: 'Choose: {{TOOLS}}',
    })
    weather.choice = '{"tool_calls":[]}'
    weather.rounds = [[say('Hm.')]]
    for (let time = 0; time < 3; time += 1) {
      conversation().upstream.requests.length = 0
      await (await conversation().complete(ask({ params: { function_calling: 'default' } }))).json()
      const prompt = (upstreamBodies()[0]!['messages'] as { content: string }[]).at(-1)!.content
      expect(prompt.match(/"get_weather"/g)).toHaveLength(1)
    }
    await conversation().server.context.settings.update({
      TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE: null,
    })
  })

  test('function_calling "default" gives an answer that is stopped meanwhile no source', async () => {
    weather.choice = '{"tool_calls":[{"name":"endless","parameters":{}}]}'
    const socket = await conversation().openSocket()
    const { chat, response } = await askInChat({
      params: { function_calling: 'default' },
      session_id: socket.sessionId,
    })
    const { task_id: taskId } = (await response.json()) as { task_id: string }
    await socket.event('status')
    await conversation().server.call('POST', `/api/tasks/stop/${taskId}`, {
      token: conversation().token,
    })
    const message = await conversation().finished(chat)
    expect(message).toMatchObject({ error: { code: 'stopped' } })
    expect(message).not.toHaveProperty('sources')
    expect(upstreamBodies()).toHaveLength(1)
  })

  test('function_calling "default" goes on without tools when the task model chooses none or nonsense', async () => {
    weather.rounds = [[say('Hm.')]]
    for (weather.choice of ['{"tool_calls":[]}', 'no idea', '{"tool_calls":[{"name":7}]}']) {
      const reply = await (
        await conversation().complete(ask({ params: { function_calling: 'default' } }))
      ).json()
      expect(reply).toMatchObject({ choices: [{ message: { content: 'Hm.' } }] })
      expect(reply).not.toHaveProperty('sources')
    }
    expect(weather.called).toEqual([])
  })
})

describe('Approval', () => {
  const asked: Approval[] = []
  beforeEach(() => {
    asked.length = 0
    weather.approve = async (_, askPerson) => {
      const answer = await askPerson()
      asked.push(answer)
      return answer.decision
    }
  })

  test('without a window nobody can say yes, and the model hears that', async () => {
    await (await conversation().complete(ask())).json()
    expect(weather.called).toEqual([])
    expect(toolTexts()).toEqual([expect.stringContaining('did not allow')])
  })

  test.each([
    [{ decision: 'allow', scope: 'chat' }, 1, { decision: 'allow', scope: 'chat' }],
    [{ decision: 'deny', scope: 'always' }, 0, { decision: 'deny', scope: 'always' }],
    ['yes', 0, { decision: 'deny', scope: 'once' }],
  ])(
    'the window of the request is asked with the arguments; %j',
    async (answer, calls, expected) => {
      const socket = await conversation().openSocket()
      socket.answerCalls((data) => {
        expect(data).toMatchObject({
          type: 'tool:approval',
          data: { name: 'get_weather', arguments: { city: 'Örebro' } },
        })
        return answer
      })
      const { chat, response } = await askInChat({ session_id: socket.sessionId })
      await response.json()
      await conversation().finished(chat)
      expect(weather.called).toHaveLength(calls)
      expect(asked).toEqual([expected])
    },
  )
})
