import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyShape } from '../../testing/any-shape.ts'
import { startFakeCompatible } from '../../testing/fake-upstream/fake-compatible.ts'
import { startFakeMessages } from '../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
let native: FakeUpstream
let runtime: FakeUpstream
beforeAll(async () => {
  native = await startFakeMessages({ key: 'native-key' })
  runtime = await startFakeRuntime()
  conversation = await startConversation()
  const { server, token } = conversation
  for (const body of [
    { kind: 'messages', name: 'Native', url: native.url, key: 'native-key', prefix_id: 'native' },
    { kind: 'runtime', name: 'Runtime', url: runtime.url, prefix_id: 'home' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await native.close()
  await runtime.close()
})

const fixture = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../retrieval/extraction/fixtures/${name}`, import.meta.url)),
  ).toString('base64')
const PDF = fixture('report.pdf')
const PDF_ADDRESS = `data:application/pdf;base64,${PDF}`
const WORDS = /Quarterly|report|Report/

const post = (path: string, body: unknown) =>
  conversation.server.call('POST', path, { token: conversation.token, body })
const runtimeModel = async () => {
  const { data } = (await (
    await conversation.server.call('GET', '/api/models', { token: conversation.token })
  ).json()) as {
    data: { id: string }[]
  }
  return data.find(({ id }) => id.startsWith('home.'))!.id
}
const lastMessages = (upstream: FakeUpstream) =>
  upstream.requests.findLast(({ json }) => json?.['messages'])!.json!['messages'] as AnyShape[]

type Dialect = 'messages' | 'responses' | 'chat'
const askWithPdf = (dialect: Dialect, model: string): Promise<Response> => {
  if (dialect === 'messages') {
    const source = { type: 'base64', media_type: 'application/pdf', data: PDF }
    const content = [
      { type: 'document', source, title: 'report.pdf' },
      { type: 'text', text: 'What does it say?' },
    ]
    return post('/api/v1/messages', {
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content }],
    })
  }
  if (dialect === 'responses') {
    const content = [
      { type: 'input_file', filename: 'report.pdf', file_data: PDF_ADDRESS },
      { type: 'input_text', text: 'What does it say?' },
    ]
    return post('/openai/responses', { model, input: [{ role: 'user', content }] })
  }
  const content = [
    { type: 'file', file: { filename: 'report.pdf', file_data: PDF_ADDRESS } },
    { type: 'text', text: 'What does it say?' },
  ]
  return post('/api/chat/completions', { model, messages: [{ role: 'user', content }] })
}

describe.each(['messages', 'responses', 'chat'] as const)('A PDF in the %s dialect', (dialect) => {
  test('goes to a provider of chat completions as a file', async () => {
    expect((await askWithPdf(dialect, 'echo')).status).toBe(200)
    expect(lastMessages(conversation.upstream).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'file', file: { filename: 'report.pdf', file_data: PDF_ADDRESS } },
        { type: 'text', text: 'What does it say?' },
      ],
    })
  })

  test('goes to a provider of the messages API as a document', async () => {
    expect((await askWithPdf(dialect, 'native.echo')).status).toBe(200)
    const source = { type: 'base64', media_type: 'application/pdf', data: PDF }
    expect(lastMessages(native).at(-1).content).toEqual([
      { type: 'document', source, title: 'report.pdf' },
      { type: 'text', text: 'What does it say?' },
    ])
  })

  test('goes to the local runtime as its text', async () => {
    expect((await askWithPdf(dialect, await runtimeModel())).status).toBe(200)
    const { content } = lastMessages(runtime).at(-1)
    expect(content).toContain('Document: report.pdf')
    expect(content).toMatch(WORDS)
    expect(content).toContain('What does it say?')
  })
})

describe('Documents', () => {
  test('of text keep their title and context, and their pictures are pictures', async () => {
    const picture = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
    }
    const content = [
      {
        type: 'document',
        title: 'Minutes',
        context: 'Of May',
        source: { type: 'text', media_type: 'text/plain', data: 'We met.' },
      },
      {
        type: 'document',
        title: 'Plan',
        source: { type: 'content', content: [{ type: 'text', text: 'See here:' }, picture] },
      },
    ]
    await post('/api/v1/messages', {
      model: 'echo',
      max_tokens: 100,
      messages: [{ role: 'user', content }],
    })
    expect(lastMessages(conversation.upstream).at(-1).content).toEqual([
      { type: 'text', text: 'Document: Minutes\nContext: Of May' },
      { type: 'text', text: 'We met.' },
      { type: 'text', text: 'Document: Plan' },
      { type: 'text', text: 'See here:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ])
  })

  test('of other kinds go in as their text', async () => {
    const address = `data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,${fixture('report.docx')}`
    const content = [{ type: 'input_file', filename: 'report.docx', file_data: address }]
    expect(
      (await post('/openai/responses', { model: 'echo', input: [{ role: 'user', content }] }))
        .status,
    ).toBe(200)
    const sent = JSON.stringify(lastMessages(conversation.upstream).at(-1).content)
    expect(sent).toContain('Document: report.docx')
    expect(sent).not.toContain('base64')
  })

  test.each([
    [{ type: 'input_file', filename: 'a.pdf' }, 'input[0].content[0]'],
    [
      { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.com/a.pdf' },
      'messages[0].content[0]',
    ],
    [
      { type: 'input_file', filename: 'a.docx', file_data: 'data:application/zip;base64,AAAA' },
      'messages[0].content[0]',
    ],
    [{ type: 'input_riddle' }, 'input[0].content[0]'],
  ])('that cannot be read are refused by the place of the part: %j', async (part, place) => {
    const response = await post('/openai/responses', {
      model: 'echo',
      input: [{ role: 'user', content: [part] }],
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { detail: string }).detail).toContain(place)
  })

  test('by an id that nobody knows are refused in the messages dialect', async () => {
    const content = [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }]
    const response = await post('/api/v1/messages', {
      model: 'echo',
      max_tokens: 9,
      messages: [{ role: 'user', content }],
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
      'messages[0].content[0]',
    )
  })
})

describe('A provider that takes no documents', () => {
  const refusals: Record<string, object> = {
    kind: {
      message: "Invalid value: 'file'. Supported values are: 'text', 'image_url'.",
      param: 'messages[0].content[0].type',
    },
    words: { message: 'This model does not support PDF input.' },
    place: { message: 'Invalid request.', param: 'messages[0].content[0].file' },
    other: { message: 'The parameter "temperature" must be at most 2.', param: 'temperature' },
  }
  const script: Script = async ({ model, messages: sent }) =>
    JSON.stringify(sent).includes('"file"') || JSON.stringify(sent).includes('"document"')
      ? { status: 400, body: JSON.stringify({ error: refusals[model] }) }
      : { steps: [{ kind: 'content', text: 'Read.' }] }
  let strict: FakeUpstream
  let strictNative: FakeUpstream
  beforeAll(async () => {
    strict = await startFakeCompatible({ script, models: Object.keys(refusals) })
    strictNative = await startFakeMessages({ script, models: Object.keys(refusals) })
    const { server, token } = conversation
    for (const [kind, { url }] of [
      ['compatible', strict],
      ['messages', strictNative],
    ] as const) {
      await server.call('POST', '/api/v1/connections', {
        token,
        body: { kind, name: kind, url, prefix_id: `strict-${kind}` },
      })
    }
    await server.call('GET', '/api/models?refresh=true', { token })
  })
  afterAll(async () => {
    await strict.close()
    await strictNative.close()
  })

  const asked = (upstream: FakeUpstream) =>
    upstream.requests.filter(({ path }) => path.endsWith('/chat/completions'))
  describe.each(['messages', 'responses', 'chat'] as const)(
    'is asked again with their text, in the %s dialect',
    (dialect) => {
      test.each(['kind', 'words', 'place'])('when it names them by %s', async (model) => {
        const before = asked(strict).length
        const response = await askWithPdf(dialect, `strict-compatible.${model}`)
        expect(response.status).toBe(200)
        expect(await response.text()).toContain('Read.')
        expect(asked(strict).length).toBe(before + 2)
        const [text, question] = lastMessages(strict).at(-1).content as { text: string }[]
        expect(text!.text).toMatch(WORDS)
        expect(question!.text).toBe('What does it say?')
      })
    },
  )
  test('is asked again by a stream, and the other format too', async () => {
    const content = [{ type: 'file', file: { filename: 'report.pdf', file_data: PDF_ADDRESS } }]
    for (const [model, upstream] of [
      ['strict-compatible.kind', strict],
      ['strict-messages.kind', strictNative],
    ] as const) {
      const response = await post('/api/chat/completions', {
        model,
        stream: true,
        messages: [{ role: 'user', content }],
      })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('Read.')
      expect(JSON.stringify(lastMessages(upstream))).toMatch(WORDS)
    }
  })
  test('and refuses something else is heard', async () => {
    const before = asked(strict).length
    const response = await askWithPdf('chat', 'strict-compatible.other')
    expect(response.status).toBe(400)
    expect(((await response.json()) as { detail: string }).detail).toContain('temperature')
    expect(asked(strict).length).toBe(before + 1)
  })
  test('is heard when nobody can read them', async () => {
    const content = [
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    ]
    const response = await post('/api/chat/completions', {
      model: 'strict-compatible.words',
      messages: [{ role: 'user', content }],
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { detail: string }).detail).toBe(
      'This model does not support PDF input.',
    )
  })
})
