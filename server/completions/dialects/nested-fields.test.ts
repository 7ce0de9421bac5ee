import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestDetailSchema } from '#contract/requests.ts'
import { readTable } from '../../testing/compatibility-table.ts'
import { startFakeMessages } from '../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { NESTED_SAMPLES } from '../../testing/nested-samples/all.ts'
import { NEEDLE, type TargetKind } from '../../testing/nested-samples/sample.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const PATHS: Record<string, string> = {
  'Chat completions': '/api/chat/completions',
  Messages: '/api/v1/messages',
  Responses: '/openai/responses',
}
const KINDS: readonly TargetKind[] = ['provider', 'runtime', 'messages']
const MODELS: Record<TargetKind, string> = {
  provider: 'm',
  runtime: 'home.m',
  messages: 'native.m',
}
const IS_NESTED = /^(?:message\.|block|tool[.:]|part[.:]|item[.:]|choice:|text\.|reasoning\.)/

const script: Script = async () => ({
  steps: [
    { kind: 'reasoning', text: 'Thinking' },
    { kind: 'content', text: 'Said.' },
  ],
})
let conversation: Conversation
let upstreams: Record<TargetKind, FakeUpstream>
beforeAll(async () => {
  const runtime = await startFakeRuntime({ script, models: ['m'] })
  const messages = await startFakeMessages({ script, models: ['m'], key: 'native-key' })
  const modelFields = { supported_parameters: ['tools', 'reasoning'] }
  conversation = await startConversation({ upstream: { script, models: ['m'], modelFields } })
  upstreams = { provider: conversation.upstream, runtime, messages }
  const { server, token } = conversation
  for (const body of [
    { kind: 'messages', name: 'Native', url: messages.url, key: 'native-key', prefix_id: 'native' },
    { kind: 'runtime', name: 'Runtime', url: runtime.url, prefix_id: 'home' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await upstreams.runtime.close()
  await upstreams.messages.close()
})

/**
 * Returns the outcome for a field: it reached the upstream, was left out with a log entry, or was
 * refused; otherwise a description of the fault.
 */
async function tryField(title: string, kind: TargetKind, name: string): Promise<string> {
  const { body, shows, answers, logged = name } = NESTED_SAMPLES[title]![name]!
  const model = MODELS[kind]
  const sent = { model, ...(typeof body === 'function' ? body(model) : body) }
  const { requests } = upstreams[kind]
  const before = requests.length
  const { server, token } = conversation
  const reply = await server.call('POST', PATHS[title]!, { token, body: sent })
  const answer = await reply.text()
  const asked = requests.slice(before).at(-1)
  if (!asked) return reply.status === 400 ? 'refused' : `status ${reply.status}: ${answer}`
  // A provider that speaks the dialect natively receives the request unchanged.
  if (title === 'Messages' && kind === 'messages')
    return isDeepStrictEqual(asked.json, { ...sent, model: 'm' }) ? 'came' : asked.text
  const pattern = shows instanceof RegExp ? shows : (shows?.[kind] ?? new RegExp(NEEDLE))
  const came = answers ? answers.test(answer) : pattern.test(asked.text)
  const ignored = await readIgnored(reply.headers.get('x-request-id')!)
  if (came && !ignored.includes(name)) return 'came'
  return !came && ignored.includes(logged)
    ? 'ignored'
    : `${came ? 'came' : 'lost'}, and the log has ${ignored.join()}: ${asked.text}`
}

/** A call is recorded once its reply has been sent, which may be after the client received it. */
async function readIgnored(id: string): Promise<string[]> {
  const read = () =>
    conversation.server.call('GET', `/api/v1/requests/${id}`, { token: conversation.token })
  await expect.poll(async () => (await read()).status).toBe(200)
  return requestDetailSchema
    .parse(await (await read()).json())
    .ignored_fields.map(({ field }) => field)
}

const toOutcome = (verdict: string): string => /^(refused|ignored)/.exec(verdict)?.[0] ?? 'came'

describe.each(Object.keys(NESTED_SAMPLES))('In the %s dialect', (title) => {
  const rows = readTable(title).flatMap(({ names, verdicts }) =>
    names.filter((name) => IS_NESTED.test(name)).map((name) => ({ name, verdicts })),
  )

  test('there is a sample for each nested field of the table', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(NESTED_SAMPLES[title]!).toSorted(),
    )
  })

  test.each(rows)(
    '$name becomes what the table says for each kind of connection',
    async ({ name, verdicts }) => {
      const outcomes = []
      for (const kind of KINDS) outcomes.push(await tryField(title, kind, name))
      expect(outcomes).toEqual(verdicts.map(toOutcome))
    },
  )
})
