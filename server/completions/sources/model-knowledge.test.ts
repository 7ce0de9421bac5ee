import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { QUESTION, sourcesOf, startReading, type Reading } from '../../testing/start-reading.ts'

let reading: Reading
let conversation: Reading['conversation']
beforeAll(async () => {
  reading = await startReading()
  conversation = reading.conversation
})
afterAll(() => conversation.close())
beforeEach(() => reading.reset())

const prompt = () => reading.lastMessages().at(-1)!.content

describe('Knowledge of a model', () => {
  async function create(path: string, body: unknown): Promise<{ id: string }> {
    const response = await conversation.server.call('POST', path, {
      token: conversation.token,
      body,
    })
    expect(response.status).toBe(200)
    return (await response.json()) as { id: string }
  }

  /** Creates a workspace model owned by its editor, who may read the collection. */
  async function createModel(id: string): Promise<string> {
    const made = await create('/api/v1/knowledge/create', {
      name: 'Bridges',
      description: 'All about them',
    })
    const meta = { knowledge: [{ type: 'collection', id: made.id, name: 'Bridges' }] }
    await create('/api/v1/models/create', { id, name: id, base_model_id: 'text', params: {}, meta })
    return id
  }

  test('is searched for every question to it, in every dialect, and its sources are a further field of the answer', async () => {
    const model = await createModel('bridge-expert')
    const messages = [{ role: 'user', content: QUESTION }]
    expect(await sourcesOf(await conversation.complete({ model, messages }))).toHaveLength(1)
    for (const [path, input] of [
      ['/api/v1/messages', { messages, max_tokens: 100 }],
      ['/llmhost/v1/responses', { input: QUESTION }],
    ] as const) {
      const reply = await conversation.call(path, { model, ...input })
      expect(await sourcesOf(reply)).toMatchObject([{ source: { id: 'report-1' } }])
      expect(JSON.stringify(reading.lastMessages())).toContain('<source id=')
      const stream = await (await conversation.call(path, { model, ...input, stream: true })).text()
      expect(stream.split('\n\n')[0]).toContain('"sources":[{')
    }
    expect(reading.searches).toHaveLength(5)
  })

  test('of which the caller may not read anything is left out', async () => {
    const model = await createModel('bridge-secrets')
    const response = await conversation.complete(
      { model, messages: [{ role: 'user', content: QUESTION }] },
      { token: reading.stranger },
    )
    expect(await sourcesOf(response)).toEqual([])
    expect(reading.searches).toEqual([])
    expect(prompt()).toBe(QUESTION)
  })
})
