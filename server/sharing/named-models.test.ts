import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShared, type OpenShared } from '../testing/open-shared.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const price = (model: string) => ({ model, input: 1, output: 2, currency: 'EUR' })
const PRICES = [price('secret-model'), price('te*'), price('kept')]

let conversation: Conversation
let shared: OpenShared
let guest: string
beforeAll(async () => {
  conversation = await startConversation({
    upstream: { models: ['text', 'kept'] },
    environment: { SHARING_PORT: '19651' },
  })
  shared = await openShared(conversation.server, conversation.token)
  const { server, token } = conversation
  const set = async (path: string, body: object): Promise<void> => {
    expect((await server.call('POST', path, { token, body })).status).toBe(200)
  }
  await set('/api/v1/configs/models', {
    DEFAULT_MODELS: 'secret-model,text',
    DEFAULT_PINNED_MODELS: 'text,secret-model',
  })
  await set('/api/v1/settings', {
    values: { TASK_MODEL: 'secret-model', TASK_MODEL_EXTERNAL: 'text' },
  })
  await set('/api/v1/models/prices', { prices: PRICES })
  guest = await shared.enter((await shared.newPass({ models: ['text'] })).secret)
})
afterAll(() => conversation.close())

it.each([
  ['/api/v1/models/prices', [price('te*')]],
  ['/api/v1/configs/models/defaults', { DEFAULT_MODELS: 'text', DEFAULT_PINNED_MODELS: 'text' }],
  ['/api/v1/tasks/config', { TASK_MODEL: '', TASK_MODEL_EXTERNAL: 'text' }],
  ['/api/config', { default_models: 'text', default_pinned_models: 'text' }],
])('a guest reads of no model but those that were lent: %s', async (path, expected) => {
  expect((await shared.call(path, { token: guest })).body).toMatchObject(expected)
})

it.each([
  ['/api/v1/models/prices', PRICES],
  ['/api/v1/configs/models/defaults', { DEFAULT_MODELS: 'secret-model,text' }],
  ['/api/v1/tasks/config', { TASK_MODEL: 'secret-model' }],
  ['/api/config', { default_models: 'secret-model,text' }],
])('others read all of it: %s', async (path, expected) => {
  expect((await shared.call(path, { token: conversation.token })).body).toMatchObject(expected)
})
