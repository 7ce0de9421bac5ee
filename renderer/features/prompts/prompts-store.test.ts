import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { createPromptsStore, loadPrompts, putPrompt } from './prompts-store.ts'

afterEach(() => vi.unstubAllGlobals())

it('a prompt that was stored while the library was being read is not lost', async () => {
  const store = createPromptsStore()
  let asked = 0
  fakeGateway({
    'GET /api/v1/prompts/': () => {
      asked += 1
      if (asked > 1) return [samplePrompt()]
      putPrompt(store, samplePrompt())
      return []
    },
  })
  await loadPrompts(store)
  expect(store.getState()).toMatchObject({ status: 'ready', prompts: [{ id: 'p1' }] })
})
