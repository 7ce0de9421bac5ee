import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { createPromptsStore } from './prompts-store.ts'

afterEach(() => vi.unstubAllGlobals())

it('a prompt that was stored while the library was being read is not lost', async () => {
  const store = createPromptsStore()
  let asked = 0
  fakeGateway({
    'GET /api/v1/prompts/': () => {
      asked += 1
      if (asked > 1) return [samplePrompt()]
      store.put(samplePrompt())
      return []
    },
  })
  await store.load()
  expect(store.getState()).toMatchObject({ status: 'ready', items: [{ id: 'p1' }] })
})
