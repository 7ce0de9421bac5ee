import { describe, expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { createLogger } from '../../lib/logger.ts'
import { createSecrets } from '../../storage/secrets/secrets.ts'
import { createTestOrigin } from '../../testing/create-test-origin.ts'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { Records } from '../records.ts'
import { stateOf } from '../calls/request-state.ts'
import { Runner } from '../calls/runner.ts'
import { PluginStore } from '../store.ts'
import { createRunAction } from '../taking-part/actions.ts'
import { createChooseFilters, createOutlet } from '../taking-part/filters.ts'
import { Traces } from '../calls/traces.ts'
import type { BuiltInAction, BuiltInFilter } from './contract.ts'
import { settingsOf } from '../../testing/settings-of.ts'

/** Written as plugin authors write them. */
const shout: BuiltInFilter = {
  id: 'shout',
  name: 'Shout',
  description: 'Makes answers loud.',
  kind: 'filter',
  isActive: true,
  inlet(body, { metadata, caller }) {
    metadata['mark'] = caller.name
    return { ...body, temperature: 0 }
  },
  stream(chunk, { emit }) {
    const text = String(chunk['text'])
    if (text === 'broken') throw new TypeError('cannot read this')
    if (text === 'secret') return null
    emit({ type: 'status', data: { description: text } })
    return { text: text.toUpperCase() }
  },
  outlet(body, { metadata }) {
    if (body['title'] === 'forbidden') throw new Error('This word is not allowed.')
    return { ...body, seen: typeof metadata }
  },
}

const rename: BuiltInAction = {
  id: 'rename',
  name: 'Rename',
  description: 'Asks for a name.',
  kind: 'action',
  isActive: true,
  action: async (body, { ask }) => ({
    messages: [{ id: body['id'], content: await ask({ type: 'input', data: { title: 'Name?' } }) }],
  }),
}

const MODEL: Model = {
  ...({} as Model),
  id: 'text',
  name: 'Text',
  info: { meta: { filterIds: ['shout'], actionIds: ['rename'] } },
}
/** Plugins read only its entry. */
const RESOLVED = { entry: MODEL } as unknown as ResolvedModel

async function build() {
  const store = new PluginStore(
    createTestStorage(),
    createSecrets('a root secret that only tests use, 32+ bytes'),
  )
  const records = new Records(store, [shout, rename])
  await records.load()
  const traces = new Traces()
  const unused = () => Promise.reject(new Error('Nothing of this is needed without Python.'))
  const saved: unknown[] = []
  const runner = new Runner({
    loader: {
      prepare: unused,
      forget: () => undefined,
      requestForNobody: () => unused,
    },
    store,
    traces,
    users: { get: async () => null, settings: async () => null },
    settings: settingsOf({ ENABLE_PLUGIN_EXECUTE: true, WEBSOCKET_EVENT_CALLER_TIMEOUT: 300 }),
    answerHost: unused,
    baseUrl: () => 'http://127.0.0.1',
    providerTokens: () => Promise.resolve(null),
    issueCallToken: () => null,
    log: createLogger('silent'),
  })
  const parts = { records, runner, later: { findModel: async () => MODEL } }
  return {
    records,
    choose: createChooseFilters(parts),
    outlet: createOutlet(parts),
    act: createRunAction({
      ...parts,
      chats: {
        saveAnswer: async (_chat, id, fields) => {
          saved.push([id, fields])
          return true
        },
      },
    }),
    saved,
    trace: (hook: string) =>
      traces.list({ userId: null, limit: 10 }).find((trace) => trace.hook === hook)!,
  }
}

describe('Functions in TypeScript run through the contract of those in Python', () => {
  test('a filter changes the request, chunks and the finished conversation; each hook leaves its trace', async () => {
    const { choose, outlet, trace } = await build()
    const origin = createTestOrigin()
    const context = { ...origin, resolved: RESOLVED }
    const filters = choose(context)!
    expect(await filters.inlets[0]!({ model: 'text', messages: [] })).toEqual({
      model: 'text',
      messages: [],
      temperature: 0,
    })
    const send = (text: string) => filters.stream[0]!({ text } as never)
    expect(await Promise.all([send('a'), send('secret'), send('broken'), send('b')])).toEqual([
      { text: 'A' },
      null,
      null,
      { text: 'B' },
    ])
    filters.close!()
    expect(origin.told).toEqual([
      { type: 'status', data: { description: 'a' } },
      { type: 'status', data: { description: 'b' } },
    ])
    expect(trace('inlet')).toMatchObject({
      status: 'done',
      input: { model: 'text' },
      result: { value: { temperature: 0 } },
    })
    expect(stateOf(context).metadata['mark']).toBe('Somebody')
    await expect.poll(() => trace('stream').status).toBe('done')
    expect(trace('stream').logs[0]).toEqual({
      stream: 'host',
      level: 'error',
      line: 'TypeError: cannot read this',
    })
    expect(await outlet.run({ model: 'text', messages: [] }, origin)).toMatchObject({
      seen: 'object',
    })
    await expect(
      outlet.run({ model: 'text', messages: [], title: 'forbidden' }, origin),
    ).rejects.toThrow('Error: This word is not allowed.')
    expect(trace('outlet')).toMatchObject({
      status: 'failed',
      error: { message: 'This word is not allowed.' },
    })
  })

  test('an action asks the person and changes the message', async () => {
    const { act, saved } = await build()
    const origin = createTestOrigin({
      chatId: 'chat',
      messageId: 'answer',
      ask: () => Promise.resolve('Anna'),
    })
    const answer = { messages: [{ id: 'answer', content: 'Anna' }] }
    expect(await act('rename', { model: 'text', messages: [], id: 'answer' }, origin)).toEqual(
      answer,
    )
    expect(saved).toEqual([['answer', { content: 'Anna' }]])
    await expect(
      act('rename', { model: 'text', messages: [] }, createTestOrigin()),
    ).rejects.toThrow('No user can be asked.')
  })

  test('what is switched off takes no part', async () => {
    const { records, choose } = await build()
    await records.update({ store: 'function', id: 'shout' }, { isActive: false })
    expect(choose({ ...createTestOrigin(), resolved: RESOLVED })).toBeNull()
  })
})
