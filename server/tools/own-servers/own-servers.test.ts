import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Script, Step } from '../../testing/fake-upstream/script.ts'
import {
  startConversation,
  type Conversation,
  type TestSocket,
} from '../../testing/start-conversation.ts'
import { originsOf } from './frame.ts'
import { toOutput } from './to-output.ts'

let rounds: (readonly Step[])[] = []
const script: Script = async ({ messages }) => {
  const round = messages.filter((message) => 'tool_calls' in message).length
  return { steps: [...(rounds[Math.min(round, rounds.length - 1)] ?? [])] }
}
const say = (text: string): Step => ({ kind: 'content', text })
const callTool = (name: string, args: Record<string, unknown> = {}): Step => ({
  kind: 'tool',
  name,
  arguments: args,
})

const URL_OF_KITCHEN = 'http://127.0.0.1:9'
const SPECS = [
  {
    type: 'function',
    name: 'boil',
    description: 'Boils\u200B water.',
    parameters: { type: 'object', properties: { litres: { type: 'number' } } },
  },
  {
    name: 'smell',
    description: 'Smells.',
    parameters: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
]
const kitchen = {
  url: URL_OF_KITCHEN,
  info: { title: 'Kitchen' },
  openapi: { huge: 'document' },
  key: 'secret',
  specs: SPECS,
}

let conversation: Conversation
let bob = ''
let socket: TestSocket

const tools = () =>
  (conversation.upstream.requests[0]!.json!['tools'] ?? []) as {
    function: { name: string; description: string }
  }[]
const toolTexts = () =>
  (conversation.upstream.requests.at(-1)!.json!['messages'] as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)

async function ask(more: Record<string, unknown> = {}, token = conversation.token) {
  const chat = await conversation.createChat('Cook', { token })
  const messages = [{ role: 'user', content: 'Cook' }]
  const place = { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }
  const reply = await conversation.complete(
    { model: 'text', messages, tool_servers: [kitchen], ...place, ...more },
    { token },
  )
  expect(reply.status).toBe(200)
  await reply.text()
  return { chat, message: await conversation.finished(chat, token) }
}

beforeAll(async () => {
  conversation = await startConversation({ upstream: { models: ['text'], script } })
  bob = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())
beforeEach(async () => {
  conversation.upstream.requests.length = 0
  rounds = [[callTool('boil', { litres: 2, made_up: true })], [say('Tea.')]]
  socket = await conversation.openSocket()
})

describe('tool servers of the person, called by their window', () => {
  test('the window that asked is called with what the server is known by, and its answer reaches the model', async () => {
    const calls: unknown[] = []
    socket.answerCalls((call) => {
      calls.push(call)
      return [{ degrees: 100 }, { 'content-type': 'application/json' }]
    })
    const { message } = await ask()
    expect(tools().map((tool) => tool.function)).toMatchObject([
      { name: 'boil', description: 'Boils water.' },
      { name: 'smell' },
    ])
    expect(calls).toEqual([
      {
        type: 'execute:tool',
        data: {
          id: expect.any(String) as string,
          name: 'boil',
          params: { litres: 2 },
          server: { url: URL_OF_KITCHEN },
          session_id: socket.sessionId,
        },
      },
    ])
    expect(toolTexts()).toEqual(['{\n  "degrees": 100\n}'])
    expect(message.content).toContain('Tea.')
    expect(JSON.stringify(conversation.upstream.requests.map(({ json }) => json))).not.toMatch(
      /secret|huge|tool_servers/,
    )
  })

  test('pages and files are shown as those of other tools', async () => {
    const answers: unknown[] = [
      [
        ['<h1>Pot</h1>', 'A pot is shown.'],
        { 'Content-Type': 'text/html', 'Content-Disposition': 'inline' },
      ],
      ['data:image/png;base64,iVBORw0KGgo=', { 'content-type': 'image/png' }],
    ]
    rounds = [[callTool('boil')], [callTool('boil')], [say('See.')]]
    socket.answerCalls(() => answers.shift())
    const { message } = await ask()
    expect(toolTexts()[0]).toBe('A pot is shown.')
    expect(message.content).toContain('&lt;h1&gt;Pot&lt;/h1&gt;')
    expect(message.files).toMatchObject([
      { type: 'image', url: expect.stringMatching(/^\/api\/v1\/files\/.+\/content$/) as string },
    ])
  })

  test('equal names are told apart', async () => {
    rounds = [[callTool('Pantry_boil')], [say('Tea.')]]
    socket.answerCalls((call) => [
      (call as { data: { server: { url: string } } }).data.server.url,
      null,
    ])
    await ask({
      tool_servers: [
        kitchen,
        { url: 'http://127.0.0.1:10', info: { name: 'Pantry' }, specs: SPECS },
      ],
    })
    expect(tools().map((tool) => tool.function.name)).toEqual([
      'boil',
      'smell',
      'Pantry_boil',
      'Pantry_smell',
    ])
    expect(toolTexts()).toEqual(['http://127.0.0.1:10'])
  })

  test('what is no tool server is passed over', async () => {
    rounds = [[say('Nothing.')]]
    const odd = [
      {},
      { url: 'ftp://a', specs: [] },
      { url: 7, specs: SPECS },
      { url: 'http://a', specs: 'x' },
      { url: 'http://a', specs: [null, { name: '' }] },
    ]
    await ask({ tool_servers: odd })
    expect(tools()).toEqual([])
  })

  test('a person is asked before, as for other tools, unless the tool only reads', async () => {
    await conversation.server.context.settings.update({ TOOL_APPROVAL: 'changes' })
    const types: string[] = []
    socket.answerCalls((call) => {
      const { type } = call as { type: string }
      types.push(type)
      return type === 'tool:approval' ? { decision: 'deny' } : ['Done', null]
    })
    rounds = [[callTool('boil')], [callTool('smell')], [say('Tea.')]]
    await ask()
    await conversation.server.context.settings.update({ TOOL_APPROVAL: null })
    expect(types).toEqual(['tool:approval', 'execute:tool'])
    expect(toolTexts()).toEqual([expect.stringContaining('did not allow'), 'Done'])
  })
})

describe('who is called', () => {
  test('without the permission they are left out in silence', async () => {
    const own = await conversation.openSocket(bob)
    rounds = [[say('Nothing.')]]
    const { message } = await ask({ session_id: own.sessionId }, bob)
    expect(tools()).toEqual([])
    expect(message.statusHistory ?? []).toEqual([])
    const frame = await conversation.server.call('GET', '/api/v1/tool_servers/frame', {
      token: bob,
    })
    expect(frame.status).toBe(403)
  })

  test('a window of somebody else is never called, nor is any for a request that names none', async () => {
    const foreign = await conversation.openSocket(bob)
    const calls: unknown[] = []
    foreign.answerCalls((call) => void calls.push(call))
    socket.answerCalls((call) => void calls.push(call))
    rounds = [[say('Nothing.')]]
    for (const session of [foreign.sessionId, 'made up', null]) {
      conversation.upstream.requests.length = 0
      const { message } = await ask({ session_id: session })
      expect(tools()).toEqual([])
      expect(JSON.stringify(message.statusHistory)).toContain(
        'Kitchen could not be used: only an open window can call it',
      )
    }
    expect(calls).toEqual([])
  })

  test('a window that is closed meanwhile is told to the model', async () => {
    socket.answerCalls(() => socket.close())
    const { message } = await ask()
    expect(toolTexts()).toEqual(['The window that should answer was closed.'])
    expect(message.content).toContain('Tea.')
  })

  test('stopping the answer takes the call back', async () => {
    const chat = await conversation.createChat('Cook')
    const place = { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }
    const started = await conversation.complete({
      model: 'text',
      messages: [{ role: 'user', content: 'Cook' }],
      tool_servers: [kitchen],
      ...place,
    })
    const { task_id: task } = (await started.json()) as { task_id: string }
    await socket.event('execute:tool')
    await conversation.server.call('POST', `/api/tasks/stop/${task}`, { token: conversation.token })
    await expect.poll(() => socket.frames.map(({ type }) => type)).toContain('call:cancel')
    expect(await conversation.finished(chat)).toMatchObject({ error: { code: 'stopped' } })
  })
})

describe('the document the window calls them from', () => {
  test('reaches what the settings of the person name, and nothing else', async () => {
    const toolServers = [
      { url: 'https://tools.example.org/a/b' },
      { url: 'http://127.0.0.1:8200', path: 'https://docs.example.org/openapi.json' },
    ]
    const settings = { token: conversation.token, body: { ui: { toolServers } } }
    await conversation.server.call('POST', '/api/v1/users/user/settings/update', settings)
    const reply = await conversation.server.call('GET', '/api/v1/tool_servers/frame', {
      token: conversation.token,
    })
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; connect-src https://tools.example.org http://127.0.0.1:8200 https://docs.example.org; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    expect(await reply.text()).toContain('<body></body>')
    const { settings: gatewaySettings } = conversation.server.context
    await gatewaySettings.update({ SEALED_MODE: true })
    const sealed = await conversation.server.call('GET', '/api/v1/tool_servers/frame', {
      token: conversation.token,
    })
    await gatewaySettings.update({ SEALED_MODE: null })
    expect(sealed.headers.get('content-security-policy')).toContain(
      'connect-src http://127.0.0.1:8200;',
    )
  })

  test('an address cannot write into the policy', () => {
    const odd = [
      'http://a.test; script-src *',
      'http://a.test/ http://b.test',
      "http://a.test' *",
      'javascript:alert(1)',
      '*',
      7,
      null,
      'http://[::1]:1',
    ]
    const origins = originsOf({ ui: { toolServers: odd.map((url) => ({ url })) } })
    expect(origins.filter((origin) => !/^http:\/\/a\.test$/.test(origin))).toEqual([])
    expect(originsOf(null)).toEqual([])
    expect(originsOf({ ui: { toolServers: 'x' } })).toEqual([])
  })
})

describe('what a window answers', () => {
  test.each([
    [['text', null], 'text', false],
    [[null, null], 'Done; the tool server gave no content.', false],
    ['not a pair', 'not a pair', false],
    [undefined, 'Done; the tool server gave no content.', false],
    [[{ error: 'HTTP error 404: no such city' }, null], 'HTTP error 404: no such city', true],
    [{ error: 'There is no such tool server.' }, 'There is no such tool server.', true],
    [[{ error: 'x', more: 1 }, {}], '{\n  "error": "x",\n  "more": 1\n}', false],
    [[7, {}], '7', false],
    [[['a', 'b'], {}], '{\n  "results": [\n    "a",\n    "b"\n  ]\n}', false],
    [['data:text/plain;base64', null], 'data:text/plain;base64', false],
    [['data:,%zz', null], 'data:,%zz', false],
  ])('%j', (answer, text, isError) => {
    expect(toOutput(answer)).toEqual({ text, isError, files: [], embeds: [] })
  })

  test('files of a list are taken out of it', () => {
    const output = toOutput([
      ['data:image/png;base64,AAEC', 'seen', 'data:text/csv;charset=utf-8,a%2Cb'],
      {},
    ])
    expect(output.text).toBe('{\n  "results": [\n    "seen"\n  ]\n}')
    expect(output.files).toEqual([
      { type: 'image', mediaType: 'image/png', bytes: Buffer.from([0, 1, 2]), name: null },
      { type: 'file', mediaType: 'text/csv', bytes: Buffer.from('a,b'), name: null },
    ])
  })

  test('a page at another address is shown from there, if it is a page', () => {
    expect(
      toOutput([null, { 'content-disposition': 'inline', location: 'https://maps.test/1' }]).embeds,
    ).toEqual(['https://maps.test/1'])
    expect(
      toOutput(['x', { 'content-disposition': 'inline', location: 'javascript:alert(1)' }]).embeds,
    ).toEqual([])
  })
})
