import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { request as sendRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'
import { createTinyModel } from '../testing/write-tiny-model.ts'

let gateway: EngineGateway
let member: string
const model = createTinyModel({ seed: 11 })
const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const digest = digestOf(model)

beforeAll(async () => {
  gateway = await startEngineGateway()
  member = await gateway.addMember('Eve')
}, 60_000)
afterAll(() => gateway.close())

async function blob(
  method: 'HEAD' | 'POST',
  name: string,
  { bytes = null, token = gateway.admin }: { bytes?: Buffer | null; token?: string } = {},
): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${gateway.server.url}/llmhost/api/blobs/${name}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    ...(bytes && { body: new Uint8Array(bytes) }),
  })
  return { status: reply.status, text: await reply.text() }
}

const folder = (): string => path.join(gateway.server.dataDir, 'model-blobs')
const listKept = (): string[] => (existsSync(folder()) ? readdirSync(folder()) : [])

describe('a file that is sent to make a model of', () => {
  it('is found by its hash, becomes a model in lines, and answers', async () => {
    expect((await blob('HEAD', digest)).status).toBe(404)
    expect((await blob('POST', digest, { bytes: model })).status).toBe(201)
    expect(await blob('HEAD', digest)).toEqual({ status: 200, text: '' })

    const made = await gateway.post('/llmhost/api/create', {
      model: 'river:latest',
      files: { 'river.gguf': digest },
    })
    const lines = (await made.text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { status: 'parsing GGUF' },
      { status: 'success' },
    ])
    expect(listKept()).toEqual([])
    const answer = await gateway.post('/llmhost/api/generate', {
      model: 'river',
      prompt: 'Hello',
      stream: false,
      options: { num_predict: 4 },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ done: true })
  })

  it('is refused when its bytes have another hash, and nothing is left of it', async () => {
    const other = digestOf(Buffer.from('another file'))
    const refused = await blob('POST', other, { bytes: model })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('do not have the hash of the address')
    expect(listKept()).toEqual([])
    expect((await blob('HEAD', other)).status).toBe(404)
  })

  it.each(['sha256:short', 'sha256:..%2f..%2fetc', `md5:${'0'.repeat(64)}`])(
    'has a hash for a name and no path: %s',
    async (name) => {
      expect((await blob('POST', name, { bytes: model })).status).toBe(422)
      expect(listKept()).toEqual([])
    },
  )

  it('is for administrators alone', async () => {
    expect((await blob('POST', digest, { bytes: model, token: member })).status).toBe(401)
    expect((await blob('HEAD', digest, { token: member })).status).toBe(401)
    expect(listKept()).toEqual([])
  })

  it('leaves nothing when its sender breaks off', async () => {
    const { hostname, port } = new URL(gateway.server.url)
    const outgoing = sendRequest({
      hostname,
      port,
      method: 'POST',
      path: `/llmhost/api/blobs/${digest}`,
      headers: {
        authorization: `Bearer ${gateway.admin}`,
        'content-type': 'application/octet-stream',
        'content-length': model.length,
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.write(model.subarray(0, 100_000))
    await expect.poll(() => listKept().length).toBe(1)
    outgoing.destroy()
    await expect.poll(listKept).toEqual([])
  })

  it('is refused when the disk has no room for what it says it is', async () => {
    const { hostname, port } = new URL(gateway.server.url)
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = sendRequest({
        hostname,
        port,
        method: 'POST',
        path: `/llmhost/api/blobs/${digest}`,
        headers: {
          authorization: `Bearer ${gateway.admin}`,
          'content-type': 'application/octet-stream',
          'content-length': 2 ** 50,
        },
      })
      outgoing.once('response', ({ statusCode }) => resolve(statusCode!)).once('error', reject)
      outgoing.flushHeaders()
      outgoing.write('GGUF')
    })
    expect([413, 507]).toContain(status)
    expect(listKept()).toEqual([])
  })

  it('waits a day, and only so many wait', async () => {
    mkdirSync(folder(), { recursive: true })
    const old = path.join(folder(), `sha256-${'a'.repeat(64)}`)
    writeFileSync(old, 'old')
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(old, yesterday, yesterday)
    const sent = Array.from({ length: 9 }, () => randomBytes(64))
    const statuses: number[] = []
    for (const bytes of sent) statuses.push((await blob('POST', digestOf(bytes), { bytes })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 201, 201, 409])
    expect(existsSync(old)).toBe(false)
    for (const name of listKept()) utimesSync(path.join(folder(), name), yesterday, yesterday)
  })
})

describe('making a model', () => {
  const create = async (body: object) => {
    const reply = await gateway.post('/llmhost/api/create', { stream: false, ...body })
    return { status: reply.status, text: await reply.text() }
  }

  it.each([
    [{ model: 'a', files: { 'a.gguf': `sha256:${'b'.repeat(64)}` } }, 404, 'was not sent'],
    [{ model: 'a', files: {} }, 400, 'Name one file'],
    [{ model: '../a', files: { 'a.gguf': digest } }, 400, 'The name of the model'],
    [{ model: 'a', from: 'river', system: 'Be brief' }, 400, 'it does not take: from, system'],
    [{ model: 'a', files: { 'a.gguf': 'sha256:../../x' } }, 400, 'A hash is'],
  ])('%j is refused with a sentence', async (body, status, sentence) => {
    const refused = await create(body)
    expect(refused.text).toContain(sentence)
    expect(refused.status).toBe(status)
  })

  it('of a file that is no model is refused, and the file stays until it is forgotten', async () => {
    const bytes = Buffer.from('This is no model, whatever its name says.')
    expect((await blob('POST', digestOf(bytes), { bytes })).status).toBe(201)
    const refused = await create({ model: 'none', files: { 'none.gguf': digestOf(bytes) } })
    expect(refused.status).toBe(400)
    expect((await blob('HEAD', digestOf(bytes))).status).toBe(200)
  })

  it('works through the form of the interface for other runtimes too', async () => {
    const reply = await fetch(`${gateway.server.url}/llmhost/models/upload?filename=Brook.gguf`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.admin}`,
        'content-type': 'application/octet-stream',
      },
      body: new Uint8Array(model),
    })
    expect(await reply.text()).toContain('"model_created":"brook"')
    expect((await gateway.post('/llmhost/api/show', { model: 'brook' })).status).toBe(200)
  })
})
