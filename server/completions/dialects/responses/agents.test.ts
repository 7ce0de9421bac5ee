import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'
import type { AnyShape } from '../../../testing/any-shape.ts'
import type { Script, Step } from '../../../testing/fake-upstream/script.ts'

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+"quoted"\n*** End Patch'
const frame = (delta: object): Step => ({
  kind: 'raw',
  bytes: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
})
const DETAILS = [
  {
    type: 'reasoning.text',
    index: 0,
    text: 'I think.',
    signature: 'signed',
    format: 'anthropic-claude-v1',
  },
  { type: 'reasoning.encrypted', index: 1, data: 'sealed' },
]

/** Calls the tool that the question names, after reasoning. */
const script: Script = async ({ messages, stream }) => {
  const last = messages.at(-1)!
  const name = last.role === 'user' ? String(last.content) : ''
  if (!/^\w+$/.test(name)) return { steps: [{ kind: 'content', text: 'Done.' }] }
  const thoughts = [
    frame({ reasoning: 'I think.', reasoning_details: [DETAILS[0]] }),
    frame({ reasoning_details: [DETAILS[1]] }),
  ]
  const call: Step = {
    kind: 'tool',
    name,
    arguments: name === 'apply_patch' ? { input: PATCH } : { city: 'Oslo' },
  }
  return { steps: stream ? [...thoughts, call] : [call] }
}

let conversation: Conversation
let client: OpenAI
beforeAll(async () => {
  conversation = await startConversation({ upstream: { script } })
  client = new OpenAI({
    baseURL: `${conversation.server.url}/openai`,
    apiKey: conversation.token,
    maxRetries: 0,
  })
})
afterAll(() => conversation.close())

const upstreamBody = () => conversation.upstream.requests.at(-1)!.json! as Record<string, AnyShape>
const patchTool = {
  type: 'custom' as const,
  name: 'apply_patch',
  description: 'Changes files.',
  format: { type: 'grammar' as const, syntax: 'lark' as const, definition: 'start: patch' },
}
const weather = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: {} },
  strict: false,
}
/** Fields that a coding agent sends with every call. */
const always = {
  model: 'echo',
  store: false,
  stream: true as const,
  include: ['reasoning.encrypted_content' as const],
  prompt_cache_key: 'thread-1',
  tool_choice: 'auto' as const,
  parallel_tool_calls: false,
  reasoning: { effort: 'medium' as const, summary: 'auto' as const },
  text: { verbosity: 'low' as const },
  client_metadata: { session: 's' },
  context_management: [{ type: 'compaction' as const, compact_threshold: 1000 }],
}
const ask = (more: Record<string, unknown>) =>
  client.responses
    .stream({ ...always, ...more } as Parameters<typeof client.responses.stream>[0])
    .finalResponse()

describe('A coding agent', () => {
  test('gets its patch as the text of a custom tool, and tells what came of it', async () => {
    const first = await ask({
      input: 'apply_patch',
      tools: [patchTool, { type: 'web_search' }, { type: 'image_generation' }],
    })
    const { function: offered } = upstreamBody()['tools'][0]
    expect(offered).toMatchObject({ name: 'apply_patch', parameters: { required: ['input'] } })
    expect(offered.description).toContain('start: patch')
    expect(upstreamBody()['tools']).toHaveLength(1)
    expect(upstreamBody()).toMatchObject({
      prompt_cache_key: 'thread-1',
      verbosity: 'low',
      reasoning_effort: 'medium',
    })
    const call = first.output.find(({ type }) => type === 'custom_tool_call')!
    expect(call).toMatchObject({ name: 'apply_patch', input: PATCH, status: 'completed' })

    const result = {
      type: 'custom_tool_call_output',
      call_id: (call as { call_id: string }).call_id,
      output: 'Success',
    }
    const second = await ask({
      input: [{ role: 'user', content: 'apply_patch' }, ...first.output, result],
      tools: [patchTool],
    })
    expect(second.output_text).toBe('Done.')
    const [, answer, told] = upstreamBody()['messages']
    expect(answer.tool_calls[0].function).toEqual({
      name: 'apply_patch',
      arguments: JSON.stringify({ input: PATCH }),
    })
    expect(told).toEqual({
      role: 'tool',
      tool_call_id: answer.tool_calls[0].id,
      content: 'Success',
    })
  })

  test('gives thoughts back, and what its provider sealed of them', async () => {
    const first = await ask({ input: 'weather', tools: [weather] })
    const [thoughts, call] = first.output as {
      type: string
      call_id?: string
      encrypted_content?: string
    }[]
    expect(thoughts).toMatchObject({ type: 'reasoning', encrypted_content: expect.any(String) })
    const output = { type: 'function_call_output', call_id: call!.call_id, output: 'Snow' }
    const kept = { type: 'reasoning', summary: [], encrypted_content: thoughts!.encrypted_content }
    await ask({
      input: [{ role: 'user', content: 'weather' }, kept, call, output],
      tools: [weather],
    })
    expect(upstreamBody()['messages'][1]).toMatchObject({
      reasoning_content: 'I think.',
      reasoning_details: DETAILS,
    })
  })

  test('is not held up by thoughts of another vendor', async () => {
    const foreign = { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' }
    const answer = await ask({
      input: [
        foreign,
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'How are you?' },
      ],
    })
    expect(answer.output_text).toBe('Done.')
    expect(upstreamBody()['messages'][0]).toEqual({ role: 'assistant', content: 'Hi.' })
  })

  test('has its tools offered that come as an item of the input', async () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [patchTool, weather] },
      { role: 'user', content: 'apply_patch' },
    ]
    const answer = await ask({ input })
    expect(upstreamBody()['tools'].map((tool: AnyShape) => tool.function.name)).toEqual([
      'apply_patch',
      'weather',
    ])
    expect(answer.output.at(-1)).toMatchObject({ type: 'custom_tool_call', input: PATCH })
  })

  test('knows the tools of a namespace again, whole and streamed', async () => {
    const tools = [
      { type: 'namespace', name: 'mcp__home', description: 'The home.', tools: [weather] },
    ]
    const streamed = await ask({ input: 'mcp__home__weather', tools })
    expect(streamed.output.at(-1)).toMatchObject({
      type: 'function_call',
      name: 'weather',
      namespace: 'mcp__home',
    })
    const whole = await client.responses.create({
      model: 'echo',
      input: 'mcp__home__weather',
      tools: tools as [],
    })
    expect(whole.output.at(-1)).toMatchObject({
      type: 'function_call',
      name: 'weather',
      namespace: 'mcp__home',
    })
    const call = { ...(whole.output.at(-1) as object) }
    await ask({ input: [{ role: 'user', content: 'Go on' }, call], tools })
    expect(upstreamBody()['messages'][1].tool_calls[0].function.name).toBe('mcp__home__weather')
  })

  test('searches for tools by a search of its own, and what it found is offered', async () => {
    const search = {
      type: 'tool_search',
      execution: 'client',
      description: 'Finds tools.',
      parameters: { type: 'object' },
    }
    const first = await ask({ input: 'tool_search', tools: [search] })
    const call = first.output.at(-1) as unknown as { call_id: string }
    expect(call).toMatchObject({
      type: 'tool_search_call',
      execution: 'client',
      arguments: { city: 'Oslo' },
    })
    const found = {
      type: 'tool_search_output',
      call_id: call.call_id,
      execution: 'client',
      tools: [weather],
    }
    await ask({ input: [{ role: 'user', content: 'Go on' }, call, found], tools: [search] })
    expect(upstreamBody()['tools'].map((tool: AnyShape) => tool.function.name)).toEqual([
      'tool_search',
      'weather',
    ])
    expect(upstreamBody()['messages'].at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: call.call_id,
    })
  })

  test('may allow some of its tools only', async () => {
    const choice = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'weather' }],
    }
    await ask({ input: 'How is it?', tools: [patchTool, weather], tool_choice: choice })
    expect(upstreamBody()['tools'].map((tool: AnyShape) => tool.function.name)).toEqual(['weather'])
    expect(upstreamBody()['tool_choice']).toBe('required')
  })

  test('is told of what would need stored answers', async () => {
    const item = { type: 'item_reference', id: 'msg_1' }
    await expect(
      client.responses.create({ model: 'echo', input: [item as never] }),
    ).rejects.toThrow('input[0]')
    await expect(
      client.responses.create({ model: 'echo', input: 'x', conversation: 'conv_1' }),
    ).rejects.toThrow('conversation')
  })
})
