import { expect, it, onTestFinished } from 'vitest'
import { startProxies } from '../testing/start-proxies.ts'

it('a connection chosen by its place is named when it lacks a model that another one has', async () => {
  const proxies = await startProxies({
    runtimes: [{ models: ['both', 'first'] }, { models: ['both'] }],
  })
  onTestFinished(() => proxies.close())
  const generate = (model: string, place = '') =>
    proxies.post<{ detail: string }>(`/llmhost/api/generate${place}`, {
      model,
      prompt: 'Hello',
      stream: false,
    })
  expect(await generate('first', '/1')).toMatchObject({
    status: 400,
    body: { detail: 'The connection at place 1 does not have the model "first".' },
  })
  expect((await generate('first', '/0')).status).toBe(200)
  expect((await generate('cloud')).body.detail).toContain('another kind')
})
