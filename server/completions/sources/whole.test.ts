import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '#contract/completions.ts'
import { startSite } from '../../testing/start-library.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

/**
 * The whole gateway: real extraction, index, search and collections; only the model is scripted.
 */
let conversation: Conversation
let stranger = ''
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_RETRIEVAL_QUERY_GENERATION: 'false', ENABLE_LOCAL_WEB_FETCH: 'true' },
  })
  stranger = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())

const FACTS = [
  'The lighthouse of Morrow was painted green in 1874.',
  'Its keeper fed eleven cats and one goose.',
  'Fog signals were given with a brass horn.',
]
const REPORT = `# The lighthouse\n\n${FACTS[0]}\n\n## The keeper\n\n${FACTS[1]}\n\n## Fog\n\n${FACTS[2]}\n`

async function upload(name: string, text: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([text], { type: 'text/markdown' }), name)
  const response = await fetch(
    `${conversation.server.url}/api/v1/files/?process_in_background=false`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${conversation.token}` },
      body: form,
    },
  )
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }).id
}

async function post<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await conversation.server.call('POST', path, { token: conversation.token, body })
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

const ask = (question: string, files: unknown[]) => ({
  model: 'text',
  messages: [{ role: 'user', content: question }],
  files,
})
const prompt = () =>
  (conversation.upstream.requests.at(-1)!.json!['messages'] as { content: string }[]).at(-1)!
    .content

test('A file that was uploaded answers a question with the passage, its number and its place', async () => {
  const id = await upload('lighthouse.md', REPORT)
  const question = 'How many cats did the keeper of the lighthouse feed?'
  const response = await conversation.complete(ask(question, [{ type: 'file', id }]))
  const { sources } = (await response.json()) as { sources: Source[] }
  expect(sources).toMatchObject([{ source: { id, name: 'lighthouse.md', type: 'file' } }])
  expect(sources[0]!.document.join('\n')).toContain(FACTS[1])
  for (const [index, place] of sources[0]!.metadata.entries()) {
    expect(place).toMatchObject({ file_id: id })
    const text = (await (
      await conversation.server.call('GET', `/api/v1/files/${id}/data/content`, {
        token: conversation.token,
      })
    ).json()) as { content: string }
    expect(text.content.slice(Number(place['start']), Number(place['end']))).toBe(
      sources[0]!.document[index],
    )
  }
  expect(prompt()).toContain('<source id="1" name="lighthouse.md">')
  expect(prompt()).toContain(FACTS[1])
  expect(prompt().trimEnd().endsWith(question)).toBe(true)
})

test('Of six small files all reach the model, whatever the question is', async () => {
  const names = ['amber', 'birch', 'cedar', 'dahlia', 'elder', 'fern']
  const ids: string[] = []
  for (const name of names)
    ids.push(
      await upload(`${name}.md`, `# Notes\n\nThe drawer of ${name} holds ${name.length} keys.\n`),
    )
  const files = ids.map((id) => ({ type: 'file', id }))
  await (
    await conversation.complete(ask('How many keys are in the drawer of amber?', files))
  ).json()
  for (const name of names) expect(prompt()).toContain(`The drawer of ${name} holds`)
})

test('A collection answers from the file that fits, and files read as a whole come whole', async () => {
  const [first, second] = [
    await upload('painting.md', REPORT),
    await upload('bread.md', '# Bread\n\nRye dough rests for nine hours.\n'),
  ]
  const { id } = await post<{ id: string }>('/api/v1/knowledge/create', {
    name: 'Things',
    description: 'Of all kinds',
  })
  for (const file of [first, second])
    await post(`/api/v1/knowledge/${id}/file/add`, { file_id: file })
  const response = await conversation.complete(
    ask('How long does rye dough rest?', [{ type: 'collection', id }]),
  )
  const { sources } = (await response.json()) as { sources: Source[] }
  expect(sources[0]).toMatchObject({ source: { id: second } })
  expect(prompt()).toContain('nine hours')
  const whole = await conversation.complete(
    ask('What is in it?', [{ type: 'file', id: first, context: 'full' }]),
  )
  expect(((await whole.json()) as { sources: Source[] }).sources[0]!.document).toEqual([REPORT])
})

test('A page put into the index is found by every way its collection is named, by its owner alone', async () => {
  const site = await startSite((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<h1>Moths</h1><p>The cinnabar moth flies by day.</p>')
  })
  const { collection_name: own } = await post<{ collection_name: string }>(
    '/api/v1/retrieval/process/web',
    { url: site.url },
  )
  await post('/api/v1/retrieval/process/web', { url: site.url, collection_name: 'moths' })
  for (const collection of [own, 'moths']) {
    for (const entry of [
      { type: 'collection', id: collection },
      { type: 'collection', name: collection },
      { type: 'collection', collection_name: collection },
      { type: 'collection', id: 'anything', name: 'A name', collection_name: collection },
      { collection_name: collection },
    ]) {
      const response = await conversation.complete(ask('Which moth flies by day?', [entry]))
      expect([response.status, entry]).toEqual([200, entry])
      expect(prompt()).toContain('cinnabar')
      expect(
        (await conversation.complete(ask('Which moth flies by day?', [entry]), { token: stranger }))
          .status,
      ).toBe(404)
    }
  }
  expect(
    (
      await conversation.complete(
        ask('Which moth?', [{ type: 'collection', name: 'no such thing' }]),
      )
    ).status,
  ).toBe(404)
})

test('Another user cannot read the file or the collection by naming it', async () => {
  const file = await upload('secret.md', 'The password of the vault is heron.')
  const { id } = await post<{ id: string }>('/api/v1/knowledge/create', {
    name: 'Mine',
    description: 'Alone',
  })
  await post(`/api/v1/knowledge/${id}/file/add`, { file_id: file })
  const before = conversation.upstream.requests.length
  for (const entry of [
    { type: 'file', id: file },
    { type: 'collection', id },
    { collection_name: `file-${file}` },
    { collection_name: id },
  ]) {
    expect(
      (await conversation.complete(ask('What is the password?', [entry]), { token: stranger }))
        .status,
    ).toBe(404)
  }
  expect(conversation.upstream.requests).toHaveLength(before)
  const inherited = {
    model: 'text',
    messages: [
      { role: 'user', content: 'What is the password?', files: [{ type: 'file', id: file }] },
    ],
  }
  await (await conversation.complete(inherited, { token: stranger })).json()
  expect(JSON.stringify(conversation.upstream.requests.at(-1)!.json)).not.toContain('heron')
})
