import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyModel, type TinyModelOptions } from '../../testing/write-tiny-model.ts'
import { completeText } from './answer.ts'
import { embedTexts } from './embed-texts.ts'
import type { LoadedModel } from './loaded-model.ts'
import { LoadedModels, type ModelFile } from './loaded-models.ts'
import { chooseProcessor, openLibrary } from './open-library.ts'

const MINUTE = 60_000
const signal = new AbortController().signal

let folder: string
let models: LoadedModels
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'loaded-models-'))
  chooseProcessor({ usesGraphics: false, cudaPackages: {} })
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
  await models.use({ file, keepAlive: MINUTE, signal }, async (model) => {
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
  await models.use({ file, keepAlive: MINUTE, signal }, async (model) => {
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
  await models.use({ file, keepAlive: MINUTE, signal }, async (model) => {
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
    await models.use({ file, keepAlive: MINUTE, signal }, async (model) => {
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
  await resting.use({ file, keepAlive: MINUTE, signal }, async () => undefined)
  expect(resting.list()).toHaveLength(1)
  await resting.use({ file, keepAlive: 200, signal }, async (model) => {
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

it('unloads a model when told to while an answer of it runs, once that has ended', async () => {
  const told = new LoadedModels(() => undefined)
  const file = addModel('told', {})
  const running = Promise.withResolvers<void>()
  const answer = told.use({ file, keepAlive: MINUTE, signal }, () => running.promise)
  await told.use({ file, keepAlive: 0, signal }, async () => undefined)
  expect(told.list()).toHaveLength(1)
  running.resolve()
  await answer
  expect(told.list()).toEqual([])
}, 60_000)

/** Has loads wait until they are told to end; returns the signals they were given. */
async function holdLoads() {
  const { llama } = await openLibrary()
  const load = llama.loadModel.bind(llama)
  const signals: AbortSignal[] = []
  const held = Promise.withResolvers<void>()
  let ended = 0
  vi.spyOn(llama, 'loadModel').mockImplementation(async (options) => {
    const { loadSignal } = options
    signals.push(loadSignal!)
    const aborted = new Promise<void>((resolve) =>
      loadSignal!.addEventListener('abort', () => resolve()),
    )
    await Promise.race([held.promise, aborted])
    ended += 1
    loadSignal!.throwIfAborted()
    return load(options)
  })
  return { signals, release: () => held.resolve(), countEnded: () => ended }
}

it('ends the load of a model once every caller that waits for it has left', async () => {
  const file = addModel('left while loading', {})
  const loads = await holdLoads()
  const onEmpty = vi.fn()
  const loading = new LoadedModels(onEmpty)
  const callers = [new AbortController(), new AbortController()]
  const work = vi.fn(async () => undefined)
  const calls = callers.map((caller) =>
    loading.use({ file, keepAlive: MINUTE, signal: caller.signal }, work),
  )
  await expect.poll(() => loads.signals).toHaveLength(1)
  callers[0]!.abort(new Error('left'))
  await expect(calls[0]).rejects.toThrow('left')
  expect(loads.signals[0]!.aborted).toBe(false)
  callers[1]!.abort(new Error('left too'))
  await expect(calls[1]).rejects.toThrow('left too')
  expect(loads.signals[0]!.aborted).toBe(true)
  expect(work).not.toHaveBeenCalled()
  expect(loading.isEmpty).toBe(true)
  expect(onEmpty).toHaveBeenCalled()
  vi.restoreAllMocks()
}, 60_000)

it('loads a model for the callers that stay, and anew after a load that was ended', async () => {
  const file = addModel('loaded anew', {})
  const loads = await holdLoads()
  const loading = new LoadedModels(() => undefined)
  const leaving = new AbortController()
  const left = loading.use({ file, keepAlive: MINUTE, signal: leaving.signal }, async () => 'left')
  await expect.poll(() => loads.signals).toHaveLength(1)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const leavesQueue = new AbortController()
  const stays = loading.use({ file, keepAlive: MINUTE, signal }, async () => 'stays')
  const queued = loading.use(
    { file, keepAlive: MINUTE, signal: leavesQueue.signal },
    async () => 'queued',
  )
  await expect.poll(() => loads.signals).toHaveLength(2)
  // The memory of the first load was free before.
  expect(loads.countEnded()).toBe(1)
  leavesQueue.abort(new Error('left the queue'))
  await expect(queued).rejects.toThrow('left the queue')
  loads.release()
  expect(await stays).toBe('stays')
  expect(loading.list()).toHaveLength(1)
  await loading.forget(file.path)
  vi.restoreAllMocks()
}, 60_000)

it('takes a caller that leaves out of the queue for a free conversation', async () => {
  const file = addModel('queue', { contextLength: 2048 })
  await models.use({ file, keepAlive: MINUTE, signal }, async (model) => {
    const busy = [await model.lend(null, signal), await model.lend(null, signal)]
    const leaving = new AbortController()
    const leaves = model.lend(null, leaving.signal)
    const stays = model.lend(null, signal)
    // The queue is joined once the context is known to be open.
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    expect(await leaves).toBe(null)
    model.giveBack(busy[0]!)
    expect(await stays).toBe(busy[0])
    model.giveBack(busy[0]!)
    model.giveBack(busy[1]!)
    expect(await model.lend(null, signal)).not.toBe(null)
  })
}, 60_000)
