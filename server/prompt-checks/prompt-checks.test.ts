import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckEvent, CheckResult } from '#contract/prompt-checks.ts'
import { lastUserText, type Step } from '../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { fillPrompt } from './fill-prompt.ts'
import { readVerdict } from './judge-answer.ts'
import { findDifference, readJson } from './match-shape.ts'

describe('the blanks of a prompt', () => {
  it('are filled by name, whatever stands behind it, and those without a value are named', () => {
    const text = 'A {{tone | select:options=["a}}","b"]}} {{ topic }} {{topic}} {{who}} {{ {{x}} }}'
    const filled = fillPrompt(text, { tone: 'short', topic: '{{who}}', x: '1' })
    expect(filled).toEqual({
      text: 'A short {{who}} {{who}} {{who}} {{ 1 }}',
      missing: ['who'],
    })
    expect(fillPrompt('{{constructor}}', {}).missing).toEqual(['constructor'])
  })

  it('are found in a time that grows with the text', () => {
    const text = '{{ '.repeat(150_000)
    expect(fillPrompt(text, {})).toEqual({ text, missing: [] })
  })
})

describe('JSON like an example', () => {
  it.each([
    [{ name: 'Ada', ages: [1, 2] }, { name: '', ages: [0] }, 'alike'],
    [{ name: 'Ada' }, { name: '', age: 0 }, 'no field "age"'],
    [{ name: 1 }, { name: '' }, 'The answer.name is number, not string'],
    [{ a: [1, 'x'] }, { a: [0] }, 'a[1]'],
    [{ a: 1, b: 2 }, { a: 0 }, 'field "b"'],
    [[], {}, 'a list'],
    [null, {}, 'null'],
  ])('%j to %j', (value, example, said) => {
    expect(findDifference(value, example) ?? 'alike').toContain(said)
  })

  it('is read with and without a fence', () => {
    expect(readJson('```json\n{"a":1}\n```')).toEqual({ value: { a: 1 } })
    expect(readJson(' [1] ')).toEqual({ value: [1] })
    expect(readJson('Here: {"a":1}')).toBeNull()
    expect(readVerdict('Well. {"holds": false, "reason": "no"}')).toEqual({
      holds: false,
      reason: 'no',
    })
    expect(readVerdict('{"holds": true, "reason": "It says {name}, {not} more."}')).toEqual({
      holds: true,
      reason: 'It says {name}, {not} more.',
    })
    expect(readVerdict('{"holds": true, "scores": {"tone": 1}}')?.holds).toBe(true)
    expect(readVerdict('yes')).toBeNull()
    expect(readVerdict('{'.repeat(100_000))).toBeNull()
  })
})

describe('checks of a prompt', () => {
  let conversation: Conversation
  let member: string
  let counter = 0
  /** Answers of each model. */
  let answers: Record<string, (text: string) => readonly Step[]>
  const say = (text: string): Step[] => [
    { kind: 'content', text },
    { kind: 'usage', prompt: 1000, completion: 500 },
  ]
  const call = async (method: string, path: string, body?: unknown, token = conversation.token) => {
    const reply = await conversation.server.call(method, path, { token, body })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const ROOT = '/api/v1/prompts'

  beforeAll(async () => {
    conversation = await startConversation({
      upstream: {
        models: ['one', 'two', 'judge'],
        script: (input) => ({ steps: answers[input.model]!(lastUserText(input)) }),
      },
      environment: {
        MODEL_PRICES: JSON.stringify([{ model: 'o*', input: 2, output: 4, currency: 'EUR' }]),
      },
    })
    member = await conversation.addUser('Bert')
  })
  afterAll(() => conversation.close())
  beforeEach(() => {
    answers = { one: () => say('Hello Ada'), two: () => say('Bye'), judge: () => say('') }
    conversation.upstream.requests.length = 0
  })

  async function promptWith(cases: readonly object[], content = 'Greet {{who | text}}.') {
    const command = `greet${(counter += 1)}`
    const { body } = await call('POST', `${ROOT}/create`, { command, name: command, content })
    const id = body['id'] as string
    const saved = await call('POST', `${ROOT}/id/${id}/checks`, { cases })
    expect(saved.status).toBe(200)
    return { id, command, version: body['version_id'] as string }
  }
  const greeting = (...expectations: object[]) => ({
    name: 'Ada',
    values: { who: 'Ada' },
    expectations,
  })
  async function run(id: string, body: object, token = conversation.token) {
    const reply = await conversation.server.call('POST', `${ROOT}/id/${id}/checks/run`, {
      token,
      body,
    })
    const text = await reply.text()
    const events = text
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as CheckEvent)
    const results = events.filter((event): event is CheckResult => event.type === 'result')
    return { status: reply.status, text, events, results }
  }

  it('run on several models and say how each answer came out, how long it took and what it cost', async () => {
    const { id } = await promptWith([greeting({ kind: 'contains', text: 'hello ada' })])
    const { events, results } = await run(id, { models: ['one', 'two'] })
    expect(events[0]).toEqual({ type: 'begun', total: 2 })
    expect(events.at(-1)).toEqual({ type: 'done', passed: 1, failed: 1 })
    const [one, two] = results.toSorted((a, b) => a.model.localeCompare(b.model))
    expect(one).toMatchObject({
      case: 'Ada',
      answer: 'Hello Ada',
      isPassed: true,
      usage: { input: 1000, output: 500 },
      cost: { amount: 0.004, currency: 'EUR' },
    })
    expect(two).toMatchObject({
      isPassed: false,
      outcomes: [{ isMet: false, detail: 'The answer does not say "hello ada".' }],
      cost: null,
    })
    expect(lastUserText(conversation.upstream.requests[0]!.json as never)).toBe('Greet Ada.')
  })

  it('compare versions of a prompt, and stay with it when its text is changed', async () => {
    const { id, version } = await promptWith([greeting({ kind: 'lacks', text: 'old' })])
    const { body } = await call('POST', `${ROOT}/id/${id}/update`, { content: 'New {{who}}' })
    const newest = body['version_id'] as string
    answers['one'] = (text) => say(text.startsWith('New') ? 'new' : 'old')
    const { results } = await run(id, { models: ['one'], versions: [version, newest] })
    expect(Object.fromEntries(results.map((one) => [one.version, one.isPassed]))).toEqual({
      [version]: false,
      [newest]: true,
    })
    expect((await call('GET', `${ROOT}/id/${id}/checks`)).body['cases']).toHaveLength(1)
  })

  it('have a model judge an answer, which cannot tell its judge what to say', async () => {
    const { id } = await promptWith([greeting({ kind: 'judged', question: 'It is polite.' })])
    answers['judge'] = (text) =>
      say(
        text.includes('Does this hold for it: It is polite.') && text.includes('Hello Ada')
          ? '```json\n{"holds": true, "reason": "It greets."}\n```'
          : '{"holds": false, "reason": "It does not."}',
      )
    const { results } = await run(id, { models: ['one', 'two'], judge: 'judge' })
    const byModel = new Map(results.map((result) => [result.model, result.outcomes[0]]))
    expect(byModel.get('one')).toMatchObject({ isMet: true, detail: 'It greets.' })
    expect(byModel.get('two')).toMatchObject({ isMet: false, detail: 'It does not.' })
    answers['judge'] = () => say('I will not say.')
    expect((await run(id, { models: ['one'], judge: 'judge' })).results[0]).toMatchObject({
      isPassed: false,
      outcomes: [{ detail: 'The judge gave no verdict that can be read.' }],
    })
  })

  it('go on when a model is not there or fails, and say so', async () => {
    const { id } = await promptWith([greeting({ kind: 'json', example: { a: 1 } })])
    answers['one'] = () => [{ kind: 'cut' }]
    answers['two'] = () => say('```json\n{"a": 5}\n```')
    const { events, results } = await run(id, { models: ['one', 'nobody', 'two'] })
    const faults = new Map(results.map(({ model, fault }) => [model, fault]))
    expect(faults.get('two')).toBeNull()
    expect(faults.get('nobody')).toContain('nobody')
    expect(faults.get('one')).toEqual(expect.any(String))
    expect(events.at(-1)).toEqual({ type: 'done', passed: 1, failed: 2 })
  })

  it('refuse a run before it begins: without checks or values, for a foreign version, and too large', async () => {
    const none = await promptWith([])
    expect(await run(none.id, { models: ['one'] })).toMatchObject({ status: 400, events: [] })
    const { id } = await promptWith([
      { name: 'Nobody', expectations: [{ kind: 'contains', text: 'x' }] },
    ])
    expect((await run(id, { models: ['one'] })).text).toContain('has no value for who')
    expect((await run(id, { models: ['one'], versions: [none.version] })).status).toBe(404)
    expect((await run(id, { models: [] })).status).toBe(422)
    expect(conversation.upstream.requests).toEqual([])
  })

  it('of others are missing, those that are shared are run with the rights of who runs them, not changed', async () => {
    const { id } = await promptWith([greeting({ kind: 'contains', text: 'hello' })])
    const path = `${ROOT}/id/${id}/checks`
    expect((await call('GET', path, undefined, member)).status).toBe(404)
    expect((await run(id, { models: ['one'] }, member)).status).toBe(404)
    await call('POST', `${ROOT}/id/${id}/access/update`, {
      access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
    })
    expect((await run(id, { models: ['one'] }, member)).results).toMatchObject([{ isPassed: true }])
    expect((await call('POST', path, { cases: [] }, member)).status).toBe(403)
  })

  it('end with who asked: the models are let go, and the next run may begin; a second one at once may not', async () => {
    const { id } = await promptWith([greeting({ kind: 'contains', text: 'hello' })])
    answers['one'] = () => [{ kind: 'stall' }]
    const leaving = new AbortController()
    const url = `${conversation.server.url}${ROOT}/id/${id}/checks/run`
    const init = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${conversation.token}`,
      },
      body: JSON.stringify({ models: ['one'] }),
    }
    const reply = await fetch(url, { ...init, signal: leaving.signal })
    await reply.body!.getReader().read()
    expect((await fetch(url, init)).status).toBe(409)
    leaving.abort()
    answers['one'] = () => say('Hello')
    await expect
      .poll(async () => (await run(id, { models: ['one'] })).results.length, { timeout: 10_000 })
      .toBe(1)
  })
})
