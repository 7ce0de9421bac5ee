import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestDetailSchema, type RequestDetail } from '#contract/requests.ts'
import { startFakeMessages } from '../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import type { AnyShape } from '../../testing/any-shape.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const KINDS = ['runtime', 'messages'] as const
const MODELS = { runtime: 'home.text', messages: 'native.text' }
let conversation: Conversation
let upstreams: Record<(typeof KINDS)[number], FakeUpstream>
beforeAll(async () => {
  upstreams = {
    runtime: await startFakeRuntime({ embeddingModels: ['embed'] }),
    messages: await startFakeMessages(),
  }
  conversation = await startConversation()
  const { server, token } = conversation
  for (const body of [
    { kind: 'runtime', name: 'Home', url: upstreams.runtime.url, prefix_id: 'home' },
    {
      kind: 'messages',
      name: 'Native',
      url: upstreams.messages.url,
      key: 'native-key',
      prefix_id: 'native',
    },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  for (const upstream of Object.values(upstreams)) await upstream.close()
})

async function post(
  path: string,
  body: object,
): Promise<{ status: number; body: AnyShape; detail: RequestDetail }> {
  const { server, token } = conversation
  const reply = await server.call('POST', path, { token, body })
  const answer: unknown = await reply.json()
  const read = () =>
    server.call('GET', `/api/v1/requests/${reply.headers.get('x-request-id')}`, { token })
  await expect.poll(async () => (await read()).status).toBe(200)
  return {
    status: reply.status,
    body: answer,
    detail: requestDetailSchema.parse(await (await read()).json()),
  }
}
const lastBody = (kind: (typeof KINDS)[number]) =>
  upstreams[kind].requests.at(-1)!.json! as AnyShape

const messages = [{ role: 'user', content: 'Hi' }]
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})

describe('A choice among some of the tools', () => {
  test.each(KINDS)(
    'offers those alone where the format knows no such choice (%s)',
    async (kind) => {
      const choice = {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [{ type: 'function', function: { name: 'two' } }],
        },
      }
      const sent = {
        model: MODELS[kind],
        messages,
        tools: [tool('one'), tool('two')],
        tool_choice: choice,
      }
      const { status, detail } = await post('/api/chat/completions', sent)
      expect(status).toBe(200)
      const offered = lastBody(kind).tools.map((each: AnyShape) => each.name ?? each.function.name)
      expect(offered).toEqual(['two'])
      expect(lastBody(kind).tool_choice).toEqual(kind === 'messages' ? { type: 'any' } : undefined)
      expect(detail.translated_fields).toContain('tool_choice')
    },
  )
})

describe('A part of an unknown kind', () => {
  const video = { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }

  test.each(KINDS)(
    'of a question is refused with its place, as nothing of it would be left (%s)',
    async (kind) => {
      const asked = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, video] }]
      const { status, body } = await post('/api/chat/completions', {
        model: MODELS[kind],
        messages: asked,
      })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'unknown_part', param: 'messages[0].content[1]' })
      expect(body.detail).toContain('"video_url"')
    },
  )

  test.each(KINDS)('of an answer before is left out, and the log says so (%s)', async (kind) => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const answer = { role: 'assistant', content: [thought, { type: 'text', text: 'So.' }] }
    const { status, detail } = await post('/api/chat/completions', {
      model: MODELS[kind],
      messages: [...messages, answer, ...messages],
    })
    expect(status).toBe(200)
    expect(detail.ignored_fields).toContainEqual({ field: 'part:thinking', reason: 'unknown' })
  })
})

describe('A call of a tool that takes a text, in a conversation', () => {
  test.each(KINDS)('is told as that of a function (%s)', async (kind) => {
    const call = { id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a "b"' } }
    const told = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Done' },
    ]
    expect(
      (
        await post('/api/chat/completions', {
          model: MODELS[kind],
          messages: [...messages, ...told],
        })
      ).status,
    ).toBe(200)
    const [, answer] = lastBody(kind).messages
    const {
      name,
      input,
      arguments: given,
    } = kind === 'messages' ? answer.content[0] : answer.tool_calls[0].function
    expect([name, input ?? given]).toEqual(['patch', { input: 'a "b"' }])
  })
})

describe('The log of a call in the messages dialect says', () => {
  test('that a model is not known to reason as hard as it was asked to', async () => {
    const sent = {
      model: 'text',
      messages,
      max_tokens: 9,
      output_config: { effort: 'high' },
      thinking: { type: 'adaptive' },
    }
    const { status, detail } = await post('/api/v1/messages', sent)
    expect(status).toBe(200)
    const fields = detail.ignored_fields.map(({ field, reason }) => `${field}: ${reason}`)
    expect(fields).toEqual(['thinking: not_reasoning', 'output_config.effort: not_reasoning'])
  })
})

describe('The log of a call in the responses dialect says', () => {
  const weather = {
    type: 'function',
    name: 'weather',
    parameters: { type: 'object', properties: {} },
  }
  const ask = (more: object) =>
    post('/api/v1/responses', { model: MODELS.runtime, input: 'Hi', ...more })
  const ignored = ({ detail }: { detail: RequestDetail }) =>
    detail.ignored_fields.map(({ field }) => field)

  test('which tools of an item and of a namespace were left out', async () => {
    const items = [
      { type: 'additional_tools', role: 'developer', tools: [weather, { type: 'web_search' }] },
    ]
    expect(ignored(await ask({ input: [...items, ...messages] }))).toContain('tool:web_search')
    const space = { type: 'namespace', name: 'home', tools: [{ ...weather, defer_loading: true }] }
    expect(ignored(await ask({ tools: [space] }))).toContain('tool.defer_loading')
  })

  test('that the choice named a tool of the vendor', async () => {
    expect(
      ignored(
        await ask({
          tools: [weather, { type: 'web_search' }],
          tool_choice: { type: 'web_search' },
        }),
      ),
    ).toContain('tool_choice')
    expect(
      ignored(await ask({ tools: [weather], tool_choice: { type: 'function', name: 'weather' } })),
    ).not.toContain('tool_choice')
  })
})

describe('The log of a call says what was sent', () => {
  test('for embeddings of a local model', async () => {
    const { server } = conversation
    await server.context.settings.update({ ENABLE_REQUEST_LOG_BODIES: true })
    const sent = {
      model: 'home.embed',
      input: 'Hi',
      encoding_format: 'base64',
      user: 'ada',
      api_key: 'mine',
    }
    const { status, detail } = await post('/v1/embeddings', sent)
    expect(status).toBe(200)
    expect(detail.attempts).toMatchObject([{ connection: 'Home', path: '/api/embed', status: 200 }])
    expect(JSON.parse(detail.attempts[0]!.request_body!)).toEqual({ model: 'embed', input: 'Hi' })
    expect(detail.translated_fields).toEqual(['encoding_format'])
    expect(detail.ignored_fields).toEqual([
      { field: 'api_key', reason: 'gateway_decides' },
      { field: 'user', reason: 'no_accounts' },
    ])
  })

  test('for the tasks beside a conversation', async () => {
    const { detail } = await post('/api/v1/tasks/emoji/completions', {
      model: MODELS.runtime,
      prompt: 'Hi',
    })
    expect(detail.attempts).toMatchObject([{ connection: 'Home', path: '/api/chat', status: 200 }])
    expect(detail.translated_fields).toContain('max_tokens')
    const merged = { model: 'text', prompt: 'Hi', responses: ['One', 'Two'] }
    expect((await post('/api/v1/tasks/moa/completions', merged)).detail.attempts).toMatchObject([
      { path: '/chat/completions', status: 200 },
    ])
  })
})
