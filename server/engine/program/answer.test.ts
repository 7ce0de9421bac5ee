import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyModel } from '../../testing/write-tiny-model.ts'
import { answerChat } from './answer.ts'
import { LoadedModels } from './loaded-models.ts'
import { chooseProcessor, openLibrary } from './open-library.ts'

const { signal } = new AbortController()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'answers-'))
  chooseProcessor({ usesGraphics: false, cudaPackages: {} })
  writeTinyModel(path.join(folder, 'tiny.gguf'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lets a model think unless the caller does not want it to', async () => {
  const { library } = await openLibrary()
  const generate = vi.spyOn(library.LlamaChat.prototype, 'generateResponse')
  const models = new LoadedModels(() => undefined)
  const file = { path: path.join(folder, 'tiny.gguf'), digest: 'tiny' }
  await models.use({ file, keepAlive: 0, signal }, async (model) => {
    for (const think of [undefined, true, false]) {
      const messages = [{ role: 'user', content: 'Hello' }]
      const body = { messages, think, options: { num_predict: 2 } }
      const quiet = () => undefined
      await answerChat({ model, body, signal, onText: quiet, onThought: quiet })
    }
  })
  expect(generate.mock.calls.map(([, given]) => given?.budgets)).toEqual([
    undefined,
    undefined,
    { thoughtTokens: 0 },
  ])
}, 60_000)
