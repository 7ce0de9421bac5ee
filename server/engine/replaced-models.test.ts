import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'
import { createTinyModel } from '../testing/write-tiny-model.ts'

let gateway: EngineGateway
beforeAll(async () => {
  gateway = await startEngineGateway()
  for (const name of ['changed', 'deleted', 'made']) gateway.addModel(name, { seed: 21 })
  gateway.addModel('other', { seed: 22 })
}, 60_000)
afterAll(() => gateway.close())

async function answerOf(model: string): Promise<string> {
  const reply = await gateway.post('/llmhost/api/generate', {
    model,
    prompt: 'Hello there',
    stream: false,
    keep_alive: '10m',
    options: { num_predict: 16, seed: 5, temperature: 0 },
  })
  return ((await reply.json()) as { response: string }).response
}

/** Returns the names of the files the engine has in memory. */
async function inMemory(): Promise<string[]> {
  const { target, token } = await gateway.server.context.engine.host.open()
  const request = {
    method: 'GET',
    path: '/api/ps',
    headers: { authorization: `Bearer ${token}` },
    body: null,
    firstByteMilliseconds: 5000,
    idleMilliseconds: 5000,
  } as const
  const reply = await target.open(request, new AbortController().signal)
  const { models } = JSON.parse((await reply.bytes(100_000)).toString()) as {
    models: { file: string }[]
  }
  return models.map(({ file }) => path.basename(file, '.gguf')).toSorted()
}

it('answers with the new weights when the file of a model was replaced', async () => {
  const before = await answerOf('changed')
  const other = await answerOf('other')
  expect(before).not.toBe(other)
  gateway.addModel('changed', { seed: 22 })
  gateway.server.context.engine.library.announce()
  expect(await answerOf('changed')).toBe(other)
  expect(await inMemory()).toEqual(['changed', 'other'])
}, 60_000)

it('frees the memory of a model that is deleted', async () => {
  await answerOf('deleted')
  expect(await inMemory()).toContain('deleted')
  const reply = await gateway.server.call('DELETE', '/llmhost/api/delete', {
    token: gateway.admin,
    body: { model: 'deleted' },
  })
  expect(reply.status).toBe(200)
  expect(await inMemory()).not.toContain('deleted')
}, 60_000)

it('frees the memory of a model whose name gets another file', async () => {
  await answerOf('made')
  const { engine } = gateway.server.context
  const file = path.join(gateway.folder, 'arrived.part')
  writeFileSync(file, createTinyModel({ seed: 22 }))
  await engine.library.take(file, 'made.gguf')
  expect(await inMemory()).not.toContain('made')
  expect(await answerOf('made')).toBe(await answerOf('other'))
}, 60_000)

it('completes the answer of a model that is deleted meanwhile', async () => {
  gateway.addModel('busy', { seed: 21 })
  gateway.server.context.engine.library.announce()
  const reply = await gateway.post('/llmhost/api/generate', {
    model: 'busy',
    prompt: 'Hello there',
    options: { num_predict: 200, seed: 5 },
  })
  const reader = reply.body!.getReader()
  let text = Buffer.from((await reader.read()).value!).toString()
  await gateway.server.context.engine.library.remove('busy')
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += Buffer.from(part.value).toString()
  expect(text).toContain('"eval_count":200')
  await expect.poll(inMemory).not.toContain('busy')
}, 60_000)
