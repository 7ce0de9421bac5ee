import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyModel, type TinyModelOptions } from '../../testing/write-tiny-model.ts'
import { completeText } from './answer.ts'
import { embedTexts } from './embed-texts.ts'
import type { LoadedModel } from './loaded-model.ts'
import { LoadedModels, type ModelFile } from './loaded-models.ts'
import { chooseProcessor } from './open-library.ts'

const MINUTE = 60_000
const signal = new AbortController().signal

let folder: string
let models: LoadedModels
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'loaded-models-'))
  chooseProcessor(false)
  models = new LoadedModels(() => undefined)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function addModel(name: string, options: TinyModelOptions): ModelFile {
  const file = path.join(folder, `${name}.gguf`)
  writeTinyModel(file, options)
  return { path: file, digest: name }
}

/** Has the model open no longer contexts than a computer with little memory could. */
function limitContexts(model: LoadedModel, most: number) {
  const create = model.model.createContext.bind(model.model)
  return vi
    .spyOn(model.model, 'createContext')
    .mockImplementation((options) => create({ ...options, contextSize: most }))
}

it('cuts a text to the context that memory gave, not to the one the model was trained for', async () => {
  const file = addModel('embed', { pooling: 'mean', contextLength: 2048 })
  const input = 'river '.repeat(1500)
  await models.use(file, MINUTE, async (model) => {
    limitContexts(model, 512)
    const { vectors, tokens } = await embedTexts(model, { input, truncate: true }, signal)
    expect(vectors[0]).toHaveLength(64)
    expect(tokens).toBeGreaterThan(500)
    expect(tokens).toBeLessThan(512)
    await expect(embedTexts(model, { input, truncate: false }, signal)).rejects.toThrow(
      `A text is longer than the ${tokens} tokens this model can read.`,
    )
  })
}, 60_000)

it('keeps the context when memory gives less than a call asks for', async () => {
  const file = addModel('chat', { contextLength: 2048 })
  await models.use(file, MINUTE, async (model) => {
    const created = limitContexts(model, 512)
    const answering = { model, signal, onText: () => undefined, onThought: () => undefined }
    const options = { num_ctx: 1024, num_predict: 2 }
    for (let calls = 0; calls < 3; calls += 1)
      await completeText({ ...answering, body: { options } }, 'Hello')
    expect(model.contextLength).toBe(512)
    expect(created).toHaveBeenCalledTimes(1)
    await completeText({ ...answering, body: { options: { ...options, num_ctx: 2048 } } }, 'Hello')
    expect(created).toHaveBeenCalledTimes(2)
  })
}, 60_000)

it('generates no further token once a caller has left', async () => {
  const file = addModel('left', { contextLength: 2048 })
  await models.use(file, MINUTE, async (model) => {
    const leaving = new AbortController()
    let texts = 0
    let textsAfter = 0
    const answered = await completeText(
      {
        model,
        signal: leaving.signal,
        body: { options: { num_predict: 100_000 } },
        onThought: () => undefined,
        onText() {
          if (leaving.signal.aborted) textsAfter += 1
          texts += 1
          if (texts === 5) leaving.abort()
        },
      },
      'Hello',
    )
    expect(textsAfter).toBe(0)
    // One that was being generated at that moment may be finished.
    expect(answered.writtenTokens).toBeLessThanOrEqual(texts + 1)
  })
}, 60_000)

/** Calls a listener when the engine itself begins to evaluate a batch. */
function watchBatches(model: LoadedModel, batchSize: number, onBegin: () => void): void {
  const create = model.model.createContext.bind(model.model)
  vi.spyOn(model.model, 'createContext').mockImplementation(async (options) => {
    const context = await create({ ...options, batchSize })
    // The library does not name its native part in its types.
    const { _ctx: evaluator } = context as unknown as { _ctx: { decodeBatch(): Promise<void> } }
    const evaluate = evaluator.decodeBatch.bind(evaluator)
    vi.spyOn(evaluator, 'decodeBatch').mockImplementation(() => {
      onBegin()
      return evaluate()
    })
    return context
  })
}

it.each([
  ['reads the question', 'river '.repeat(1000), 3],
  ['writes the answer', 'Hello', 6],
])(
  'evaluates no more than one batch after a caller has left while it %s',
  async (phase, prompt, leaveAt) => {
    const file = addModel(`batches ${phase}`, { contextLength: 2048 })
    await models.use(file, MINUTE, async (model) => {
      const leaving = new AbortController()
      let batches = 0
      let texts = 0
      watchBatches(model, 64, () => {
        batches += 1
        if (batches === leaveAt) leaving.abort()
      })
      const answering = { model, signal: leaving.signal, onThought: () => undefined }
      await completeText(
        {
          ...answering,
          body: { options: { num_predict: 100_000 } },
          onText: () => void (texts += 1),
        },
        prompt,
      )
      expect(batches).toBeGreaterThanOrEqual(leaveAt)
      expect(batches).toBeLessThanOrEqual(leaveAt + 1)
      expect(texts > 0).toBe(phase === 'writes the answer')
      // Nothing goes on in the background.
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(batches).toBeLessThanOrEqual(leaveAt + 1)
    })
  },
  60_000,
)

it('unloads a model after the time without calls that the last one named', async () => {
  const onEmpty = vi.fn()
  const resting = new LoadedModels(onEmpty)
  const file = addModel('resting', {})
  let loaded: LoadedModel | undefined
  await resting.use(file, MINUTE, async () => undefined)
  expect(resting.list()).toHaveLength(1)
  await resting.use(file, 200, async (model) => {
    loaded = model
    // Longer than it may rest: a call that takes long is no rest.
    await new Promise((resolve) => setTimeout(resolve, 400))
  })
  expect(resting.list()).toHaveLength(1)
  expect(onEmpty).not.toHaveBeenCalled()
  await expect.poll(() => resting.list()).toEqual([])
  await expect.poll(() => loaded!.model.disposed).toBe(true)
  await expect.poll(() => onEmpty.mock.calls.length).toBe(1)
}, 60_000)
