import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestDetailSchema, type RequestDetail } from '#contract/requests.ts'
import { readTable } from '../../../testing/compatibility-table.ts'
import { startFakeMessages } from '../../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../../testing/fake-upstream/fake-server.ts'
import { PublishedTypes } from '../../../testing/published-types.ts'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

const published = new PublishedTypes('openai', 'resources/completions.d.ts').fields(
  'CompletionCreateParamsBase',
)
const rows = readTable('Text completions')
const conversationRows = readTable('Chat completions')
const NATIVE = 2

/** A value for each field but those every request has; a new field has to be added here too. */
const VALUES: Readonly<Record<string, unknown>> = {
  best_of: 1,
  echo: true,
  frequency_penalty: 0.5,
  logit_bias: { 50256: -100 },
  logprobs: 2,
  max_tokens: 9,
  n: 2,
  presence_penalty: 0.5,
  seed: 7,
  stop: ['x'],
  stream_options: { include_usage: true },
  suffix: 'The end.',
  temperature: 0.5,
  top_p: 0.5,
  user: 'ada',
}
const ALWAYS = ['model', 'prompt', 'stream']

/** Returns the verdicts of a field of the table; null if it is one of the others. */
const verdictsOf = (name: string): readonly string[] | null =>
  rows.find(({ names }) => names.includes(name))?.verdicts ?? null
const firstWord = (verdict: string): string => /^\w+/.exec(verdict)![0]

test('The table decides about every published field of text completions, by itself or as in conversations', () => {
  expect(published.length).toBeGreaterThan(15)
  expect([...Object.keys(VALUES), ...ALWAYS].toSorted()).toEqual(published.toSorted())
  const others = published.filter((name) => verdictsOf(name) === null)
  const inConversations = conversationRows.flatMap(({ names }) => names)
  expect(others.filter((name) => !inConversations.includes(name))).toEqual([])
  expect(rows.flatMap(({ names }) => names).filter((name) => !published.includes(name))).toEqual([])
})

describe('What the table says of', () => {
  let conversation: Conversation
  let upstreams: Record<'home' | 'native', FakeUpstream>
  beforeAll(async () => {
    upstreams = { home: await startFakeRuntime(), native: await startFakeMessages() }
    conversation = await startConversation()
    const { server, token } = conversation
    for (const [kind, name] of [
      ['runtime', 'home'],
      ['messages', 'native'],
    ] as const) {
      const body = { kind, name, url: upstreams[name].url, key: 'key', prefix_id: name }
      await server.call('POST', '/api/v1/connections', { token, body })
    }
    await server.call('GET', '/api/models?refresh=true', { token })
  })
  afterAll(async () => {
    await conversation.close()
    for (const upstream of Object.values(upstreams)) await upstream.close()
  })

  async function ask(
    model: string,
    more: object,
  ): Promise<{ status: number; detail: RequestDetail }> {
    const { server, token } = conversation
    const body = { model, prompt: 'Once', stream: 'stream_options' in more, ...more }
    const reply = await server.call('POST', '/v1/completions', { token, body })
    await reply.text()
    const read = () =>
      server.call('GET', `/api/v1/requests/${reply.headers.get('x-request-id')}`, { token })
    await expect.poll(async () => (await read()).status).toBe(200)
    const detail = requestDetailSchema.parse(await (await read()).json())
    return { status: reply.status, detail }
  }
  const lastBody = ({ requests }: FakeUpstream): object =>
    requests.findLast(({ method }) => method === 'POST')!.json!

  /** Returns what became of a field, in the words of the table. */
  function toWord(name: string, { status, detail }: Awaited<ReturnType<typeof ask>>): string {
    if (status === 400) return 'refused'
    if (detail.ignored_fields.some(({ field }) => field === name)) return 'ignored'
    return detail.translated_fields.includes(name) ? 'translated' : 'sent'
  }
  /** A refusal beyond a bound, which no value here exceeds, is tested beside the other refusals. */
  const isRight = (verdict: string, word: string): boolean =>
    /^refused./.test(verdict) ? word !== 'refused' : word === firstWord(verdict)

  test.each(Object.entries(VALUES))('%s is right', async (name, value) => {
    const [provider, runtime, other] = verdictsOf(name) ?? ['sent', 'sent', null]
    const inConversation =
      other ?? conversationRows.find(({ names }) => names.includes(name))!.verdicts[NATIVE]!
    const cases = [
      ['echo', provider!, conversation.upstream],
      ['home.echo', runtime!, upstreams.home],
      ['native.echo', inConversation, upstreams.native],
    ] as const
    for (const [model, verdict, upstream] of cases) {
      const word = toWord(name, await ask(model, { [name]: value }))
      expect([model, word, isRight(verdict, word)]).toEqual([model, word, true])
      const arrived = firstWord(verdict) === 'sent' ? { [name]: value } : {}
      expect(lastBody(upstream)).toMatchObject(arrived)
    }
  })
})
