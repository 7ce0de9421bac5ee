import { Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'

let proxies: Proxies
beforeAll(async () => {
  proxies = await startProxies({ runtimes: [{ embeddingModels: ['embed:latest'] }] })
})
afterAll(() => proxies.close())

const messages = [{ role: 'user', content: 'Hello' }]

describe.each(['/llmhost', '/ollama'])('The official SDK of the local runtime on %s', (prefix) => {
  const client = () =>
    new Ollama({
      host: proxies.server.url + prefix,
      headers: { Authorization: `Bearer ${proxies.key}` },
    })

  it('lists the models, those that only embed included', async () => {
    const names = (await client().list()).models.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['text', 'embed:latest']))
  })

  it('chats, whole and streamed', async () => {
    const whole = await client().chat({ model: 'text', messages })
    let text = ''
    for await (const part of await client().chat({ model: 'text', messages, stream: true }))
      text += part.message.content
    expect(text).toContain('Hello from the scripted model.')
    expect(whole.message.content).toBe(text)
  })

  it('generates, whole and streamed', async () => {
    const whole = await client().generate({ model: 'text', prompt: 'Hello' })
    let text = ''
    for await (const part of await client().generate({
      model: 'text',
      prompt: 'Hello',
      stream: true,
    }))
      text += part.response
    expect(whole.response).toBe(text)
    expect(text).toContain('scripted model')
  })

  it('embeds in both forms, also with the short name of a model tagged latest', async () => {
    expect(
      (await client().embed({ model: 'embed:latest', input: ['four', 'sixsix'] })).embeddings,
    ).toEqual([
      [4, 0.5, -1],
      [6, 0.5, -1],
    ])
    expect((await client().embed({ model: 'embed', input: 'four' })).embeddings).toHaveLength(1)
    expect(
      (await client().embeddings({ model: 'embed:latest', prompt: 'four' })).embedding,
    ).toEqual([4, 0.5, -1])
  })

  it('shows a model, what is loaded and the version', async () => {
    expect((await client().show({ model: 'text' })).details.parameter_size).toBe('8.0B')
    expect((await client().ps()).models.map(({ name }) => name)).toEqual(['text'])
    expect((await client().version()).version).toBe('0.12.3')
  })

  it('pulls with progress, copies, pushes, creates and deletes', async () => {
    const statuses: string[] = []
    for await (const part of await client().pull({ model: 'new:1b', stream: true }))
      statuses.push(part.status)
    expect(statuses).toEqual(['pulling manifest', 'downloading', 'downloading', 'success'])
    expect((await client().chat({ model: 'new:1b', messages })).done).toBe(true)
    await client().copy({ source: 'new:1b', destination: 'copy:1b' })
    await client().create({ model: 'made:1b', from: 'new:1b' })
    expect((await client().push({ model: 'copy:1b' })).status).toBe('success')
    for (const model of ['new:1b', 'copy:1b', 'made:1b']) await client().delete({ model })
    await expect(client().chat({ model: 'new:1b', messages })).rejects.toThrow('ot found')
  })

  it('hears the sentence of a failure with the status of the runtime', async () => {
    const refused = {
      status_code: 429,
      message: expect.stringContaining('Too many requests') as string,
    }
    await expect(
      client().chat({ model: 'text', messages: [{ role: 'user', content: '/error 429' }] }),
    ).rejects.toMatchObject(refused)
    await expect(client().chat({ model: 'no-such-model', messages })).rejects.toMatchObject({
      status_code: 400,
    })
    const reply = async () => {
      for await (const _ of await client().chat({ model: 'failing', messages, stream: true }));
    }
    await expect(reply()).rejects.toThrow('The model crashed.')
  })

  it('cancels the runtime with its abort', async () => {
    const aborts = proxies.runtimes[0]!.aborts()
    const stream = await client().generate({ model: 'slow', prompt: 'Hello', stream: true })
    const read = async () => {
      for await (const _ of stream) stream.abort()
    }
    await expect(read()).rejects.toThrow('abort')
    await expect.poll(() => proxies.runtimes[0]!.aborts()).toBe(aborts + 1)
  })
})
