import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorBody } from '#contract/common.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { fromJsonSchema, type JsonSchema } from '../testing/from-json-schema.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const SCIM_TOKEN = 'a-token-for-provisioning'
const RUNS = 10_000
/** Number of concurrent calls, as from several clients. */
const LANES = 4
/** Statuses a caller can cause; any other status is a fault of the gateway. */
const ALLOWED = new Set([
  200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 501, 502, 503, 504,
])
/**
 * Calls that remove something the others need: the session, the account, the settings they run
 * under.
 */
const ENDING =
  /signout|updatePassword|AdminConfig|settings_update|users_(update|remove)|configs_(import|update)|desktop|_updateConfig|requests_stream|auths_(local|signin|signup)/i

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: JsonSchema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
}

interface Target {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface GeneratedCall {
  readonly target: Target
  readonly address: string
  readonly body: unknown
}

let server: TestServer
let upstream: FakeUpstream
let token: string
let known: string[]

beforeAll(async () => {
  upstream = await startFakeCompatible({ models: ['text', 'tools', 'error', 'cut'] })
  const environment = {
    ENABLE_API_KEYS: 'true',
    ENABLE_CHANNELS: 'true',
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'sk-upstream-key-000000',
  }
  const pictures = {
    ENABLE_IMAGE_GENERATION: 'true',
    ENABLE_IMAGE_EDIT: 'true',
    IMAGES_OPENAI_API_BASE_URL: upstream.url,
  }
  server = await startTestServer({
    environment: {
      ...environment,
      ...pictures,
      ENABLE_SCIM: 'true',
      SCIM_TOKEN,
      LOG_LEVEL: 'silent',
    },
  })
  token = await server.signUp('Ada')
  known = ['text', 'tools', 'user', 'assistant', 'm1', 'm2', ...(await createThings())]
})
afterAll(async () => {
  await server.close()
  await upstream.close()
})

/** Creates objects and returns their ids, so that many of the calls pass the first validation. */
async function createThings(): Promise<string[]> {
  const messages = {
    m1: {
      id: 'm1',
      role: 'user',
      content: 'Hello',
      parentId: null,
      childrenIds: ['m2'],
      timestamp: 1,
    },
  }
  const ids: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const response = await server.call('POST', '/api/v1/chats/new', {
      token,
      body: { chat: { title: `Chat ${index}`, history: { messages } } },
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  for (const [path, body] of Object.entries(THINGS)) {
    const response = await server.call('POST', `/api/v1/${path}`, { token, body })
    expect([path, response.status]).toEqual([path, 200])
    ids.push(((await response.json()) as { id: string }).id)
  }
  return ids
}

/** One object of each other kind, by the path that creates it. */
const THINGS: Readonly<Record<string, object>> = {
  'folders/': { name: 'Folder' },
  'notes/create': { title: 'Note' },
  'prompts/create': { command: 'hello', name: 'Hello', content: 'Hello' },
  'memories/add': { content: 'Likes tea' },
  'knowledge/create': { name: 'Manuals', description: '' },
  'groups/create': { name: 'People', description: '' },
  'channels/create': { name: 'group', type: 'group' },
  'evaluations/feedback': { type: 'rating', data: { rating: 1, model_id: 'text' } },
  'models/create': { id: 'preset', name: 'Preset', base_model_id: 'text', meta: {}, params: {} },
  'skills/create': { id: 'skill', name: 'Skill', content: 'Text' },
  'calendars/create': { name: 'Calendar' },
  'automations/create': {
    name: 'Daily',
    data: { prompt: 'Hello', model_id: 'text', rrule: 'RRULE:FREQ=YEARLY' },
  },
}

async function readDocument(): Promise<{
  targets: Target[]
  resolve: (ref: string) => JsonSchema
}> {
  const response = await server.call('GET', '/openapi.json', { token })
  const document = (await response.json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JsonSchema> }
  }
  const targets = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  return {
    targets: targets.filter(({ operation }) => !ENDING.test(operation.operationId)),
    resolve: (ref) => document.components.schemas[ref.split('/').at(-1)!] ?? {},
  }
}

function callsOf(target: Target, resolve: (ref: string) => JsonSchema): Arbitrary<GeneratedCall> {
  const value = (schema: JsonSchema = {}): Arbitrary<unknown> =>
    fromJsonSchema(schema, resolve, known)
  const { parameters = [], requestBody } = target.operation
  const schema = requestBody?.content['application/json']?.schema
  const values = fc.tuple(
    ...parameters.map((parameter) =>
      fc.tuple(fc.constant(parameter), value(parameter.schema), fc.boolean()),
    ),
  )
  return fc.tuple(values, schema ? value(schema) : fc.constant(undefined)).map(([chosen, body]) => {
    let address = target.path
    const query = new URLSearchParams()
    for (const [parameter, each, isSent] of chosen) {
      const word = typeof each === 'string' ? each : (JSON.stringify(each) ?? '')
      // A URL cannot contain an unpaired surrogate.
      if (parameter.in === 'path')
        address = address.replace(
          `{${parameter.name}}`,
          encodeURIComponent(word.toWellFormed() || 'x'),
        )
      else if (isSent) query.set(parameter.name, word)
    }
    return { target, address: query.size > 0 ? `${address}?${query.toString()}` : address, body }
  })
}

async function expectNoFault({ target, address, body }: GeneratedCall): Promise<void> {
  const leave = AbortSignal.timeout(10_000)
  const response = await fetch(server.url + address, {
    method: target.method,
    redirect: 'manual',
    signal: leave,
    headers: {
      Authorization: `Bearer ${address.includes('/scim/') ? SCIM_TOKEN : token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const reply = await response.text()
  const told = `${target.method} ${address} ${JSON.stringify(body)} → ${response.status} ${reply.slice(0, 300)}`
  expect(ALLOWED, told).toContain(response.status)
  if (response.status < 400) return
  const { detail } = JSON.parse(reply) as ErrorBody
  const sentences = typeof detail === 'string' ? [detail] : detail.map(({ msg }) => msg)
  expect(sentences.length, told).toBeGreaterThan(0)
  for (const sentence of sentences) expect(sentence, told).toMatch(/\w/)
}

test(`R31: ${RUNS} calls made from the OpenAPI document cause no fault, and every refusal has its sentence`, async () => {
  const { targets, resolve } = await readDocument()
  expect(targets.length).toBeGreaterThan(50)
  const calls = fc.oneof(...targets.map((target) => callsOf(target, resolve)))
  const { failed, seed, counterexamplePath, errorInstance } = await fc.check(
    fc.asyncProperty(fc.array(calls, { minLength: LANES, maxLength: LANES }), async (lanes) => {
      await Promise.all(lanes.map(expectNoFault))
    }),
    { numRuns: RUNS / LANES, endOnFailure: true },
  )
  // The error shows only the failing call; the four calls of a run with their operations would hide
  // it.
  if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect((await server.call('GET', '/health')).status).toBe(200)
}, 360_000)
