import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChatCompletion } from '#contract/completions.ts'
import { lastUserText, toPieces, type Script } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let said = ''
const script: Script = async (input) => ({
  steps: toPieces(lastUserText(input).startsWith('/echo') ? lastUserText(input) : said),
})

let conversation: Conversation
beforeEach(async () => {
  said = ''
  conversation = await startConversation({ upstream: { models: ['text', 'small'], script } })
})
afterEach(() => conversation.close())

const MESSAGES = [
  { role: 'user', content: 'How do trains brake?' },
  { role: 'assistant', content: 'With air.' },
]
const post = (path: string, body: unknown, token = conversation.token) =>
  conversation.server.call('POST', `/api/v1/tasks/${path}`, { token, body })
const generate = (kind: string, more: Record<string, unknown> = {}) =>
  post(`${kind}/completions`, { model: 'text', messages: MESSAGES, ...more })
async function textOf(response: Response): Promise<string> {
  const completion = (await response.json()) as ChatCompletion
  expect(completion).toMatchObject({ object: 'chat.completion', model: 'text' })
  return completion.choices[0]!.message.content!
}
const askedPrompt = () =>
  String(
    (conversation.upstream.requests.at(-1)!.json!['messages'] as { content: string }[])[0]!.content,
  )
const configure = (changes: Record<string, unknown>) => post('config/update', changes)

describe('POST /api/v1/tasks/<kind>/completions', () => {
  test.each([
    ['title', 'Sure: {"title": "Air brakes"}', { title: 'Air brakes' }],
    [
      'tags',
      '```json\n{"tags": ["Trains", "Brakes", "Trains"]}\n```',
      { tags: ['Trains', 'Brakes'] },
    ],
    ['tags', 'I cannot tell', { tags: ['General'] }],
    [
      'follow_up',
      '<think>hm</think>{"follow_ups": ["And ships?", 5, " "]}',
      { follow_ups: ['And ships?'] },
    ],
    ['follow_up', '1. And ships?\n2. And planes?', { follow_ups: ['And ships?', 'And planes?'] }],
    ['queries', '{"queries": []}', { queries: [] }],
    ['queries', 'no idea', { queries: ['How do trains brake?'] }],
    ['image_prompt', '{"prompt": "A train in snow"}', { prompt: 'A train in snow' }],
    ['image_prompt', 'A train in rain', { prompt: 'A train in rain' }],
  ])('%s makes of %j a completion whose text is JSON', async (kind, answer, expected) => {
    said = answer
    expect(JSON.parse(await textOf(await generate(kind)))).toEqual(expected)
    expect(askedPrompt()).toContain('USER: How do trains brake?\nASSISTANT: With air.')
  })

  test('emoji is plain text, and one emoji', async () => {
    said = 'Here: 👩‍🚒🔥'
    expect(await textOf(await generate('emoji', { messages: undefined, prompt: 'Fire!' }))).toBe(
      '👩‍🚒',
    )
    expect(askedPrompt()).toContain('Fire!')
  })

  test('auto completes a typed text when it is switched on, up to a length', async () => {
    expect((await generate('auto', { prompt: 'How do' })).status).toBe(400)
    await configure({
      ENABLE_AUTOCOMPLETE_GENERATION: true,
      AUTOCOMPLETE_GENERATION_INPUT_MAX_LENGTH: 10,
    })
    said = '{"text": " trains brake?"}'
    expect(
      JSON.parse(await textOf(await generate('auto', { prompt: 'How do', type: 'search query' }))),
    ).toEqual({ text: ' trains brake?' })
    expect(askedPrompt()).toContain('search query')
    expect((await generate('auto', { prompt: 'How do trains' })).status).toBe(400)
  })

  test('queries names today and has a switch for each type', async () => {
    await configure({ ENABLE_SEARCH_QUERY_GENERATION: false })
    expect((await generate('queries', { type: 'web_search' })).status).toBe(400)
    said = '["air brake", "rail"]'
    expect(JSON.parse(await textOf(await generate('queries', { type: 'retrieval' })))).toEqual({
      queries: ['air brake', 'rail'],
    })
    expect(askedPrompt()).toMatch(/Today is \d{4}-\d\d-\d\d/)
  })

  test('title, tags and follow_up that are off answer 200 with a detail', async () => {
    await configure({
      ENABLE_TITLE_GENERATION: false,
      ENABLE_TAGS_GENERATION: false,
      ENABLE_FOLLOW_UP_GENERATION: false,
    })
    for (const kind of ['title', 'tags', 'follow_up']) {
      const response = await generate(kind)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ detail: expect.any(String) })
    }
  })

  test('moa merges answers, as JSON and as a stream', async () => {
    said = 'With air, mostly.'
    const merged = {
      model: 'text',
      prompt: 'How do trains brake?',
      responses: ['With air.', 'With magnets.'],
    }
    const whole = (await (await post('moa/completions', merged)).json()) as ChatCompletion
    expect(whole.choices[0]!.message.content).toBe(said)
    expect(askedPrompt()).toMatch(/How do trains brake\?[\s\S]*With air\.[\s\S]*With magnets\./)
    const stream = await post('moa/completions', { ...merged, stream: true })
    const text = await stream.text()
    expect(text).toContain('"content":"With"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('moa is answered by models inside of the gateway too', async () => {
    const merged = { model: 'guide', prompt: 'privacy', responses: [] }
    expect(await textOfGuide(await post('moa/completions', merged))).toContain('not an AI')
    expect(await (await post('moa/completions', { ...merged, stream: true })).text()).toContain(
      'data: [DONE]',
    )
  })

  test('an unknown model is a 404 with the sentence of the list', async () => {
    for (const kind of ['title', 'moa']) {
      const response = await generate(kind, { model: 'no-such-model', prompt: 'x', responses: [] })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        detail: expect.stringContaining('Model not found') as string,
      })
    }
  })

  test('the task model answers, and an upstream that fails says so', async () => {
    await configure({ TASK_MODEL: 'small', TASK_MODEL_EXTERNAL: 'small' })
    said = '{"title": "Brakes"}'
    await textOf(await generate('title'))
    expect(conversation.upstream.requests.at(-1)!.json).toMatchObject({ model: 'small' })
    await conversation.upstream.close()
    expect((await generate('title')).status).toBeGreaterThanOrEqual(502)
  })

  test('the guide is no task model: it leaves what can be said without one', async () => {
    expect(JSON.parse(await textOfGuide(await generate('tags', { model: 'guide' })))).toEqual({
      tags: ['General'],
    })
  })
})

const textOfGuide = async (response: Response) =>
  ((await response.json()) as ChatCompletion).choices[0]!.message.content!

describe('/api/v1/tasks/config', () => {
  test('shows everybody models, switches and prompts; an administrator changes some of them', async () => {
    const stranger = await conversation.addUser('Bob')
    const before = (await (
      await conversation.server.call('GET', '/api/v1/tasks/config', { token: stranger })
    ).json()) as Record<string, unknown>
    expect(before).toMatchObject({
      TASK_MODEL: '',
      ENABLE_TAGS_GENERATION: true,
      AUTOCOMPLETE_GENERATION_INPUT_MAX_LENGTH: -1,
    })
    expect((await post('config/update', {}, stranger)).status).toBe(401)
    const changed = await configure({
      TASK_MODEL: 'small',
      TAGS_GENERATION_PROMPT_TEMPLATE: 'Tags of {{MESSAGES:END:1}}',
      UNKNOWN: 1,
    })
    expect(await changed.json()).toEqual({
      ...before,
      TASK_MODEL: 'small',
      TAGS_GENERATION_PROMPT_TEMPLATE: 'Tags of {{MESSAGES:END:1}}',
    })
    said = '{"tags":["A"]}'
    await textOf(await generate('tags'))
    expect(askedPrompt()).toBe('Tags of ASSISTANT: With air.')
  })

  test('an empty prompt goes back to the default, and a wrong type is refused', async () => {
    await configure({ TITLE_GENERATION_PROMPT_TEMPLATE: 'Name it' })
    const reset = (await (await configure({ TITLE_GENERATION_PROMPT_TEMPLATE: '' })).json()) as {
      TITLE_GENERATION_PROMPT_TEMPLATE: string
    }
    expect(reset.TITLE_GENERATION_PROMPT_TEMPLATE).toContain('{{MESSAGES:END:2}}')
    expect((await configure({ ENABLE_TITLE_GENERATION: 'perhaps' })).status).toBe(422)
  })
})

test('POST /api/v1/tasks/active/chats names the own chats whose answer is being written', async () => {
  said = 'word '.repeat(3)
  const chat = await conversation.createChat('Hello')
  const active = async (token?: string) =>
    (await post('active/chats', { chat_ids: [chat.chat_id, 'unknown'] }, token)).json()
  expect(await active()).toEqual({ active_chat_ids: [] })
  const task = conversation.server.context.tasks.start({
    userId: 'x',
    chatId: chat.chat_id,
    messageId: null,
  })
  expect(await active()).toEqual({ active_chat_ids: [chat.chat_id] })
  expect(await active(await conversation.addUser('Bob'))).toEqual({ active_chat_ids: [] })
  task.finish()
})
