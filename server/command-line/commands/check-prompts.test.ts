import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeCompatible } from '../../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import type { Step } from '../../testing/fake-upstream/script.ts'
import { startGatewayProcess, type GatewayProcess } from '../../testing/start-process.ts'
import { runCommandLine } from '../run-command-line.ts'

let upstream: FakeUpstream
let gateway: GatewayProcess
let dataDir: string
let token: string
let versions: string[]

const say = (text: string): Step[] => [
  { kind: 'content', text },
  { kind: 'usage', prompt: 1000, completion: 500 },
]
/** Answers of each model to a question. */
const SCRIPT: Readonly<Record<string, (question: string) => Step[]>> = {
  one: (question) => say(question.includes('politely') ? 'Dear Ada,\nhello!' : 'Hello Ada!\nBye.'),
  two: () => say('Hi Ada!\nBye.'),
  three: () => [{ kind: 'cut' }],
  judge: (question) => say(`{"holds": ${question.includes('Hello')}, "reason": "By its words."}`),
}

async function post<Reply>(target: string, body: unknown): Promise<Reply> {
  const reply = await fetch(gateway.url + target, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  expect(reply.status, target).toBe(200)
  return (await reply.json()) as Reply
}

async function run(...words: string[]) {
  let [out, error] = ['', '']
  const code = await runCommandLine(['check-prompts', '--data-dir', dataDir, ...words], {
    environment: {},
    isInteractive: false,
    write: (text) => void (out += text),
    remark: (text) => void (error += text),
    readInput: async () => '',
    signal: new AbortController().signal,
  })
  return { code, out, error }
}
/** Times differ from run to run. */
const rowsOf = (out: string): string[] =>
  out.split('\n').map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/\d+\.\d s/g, '0.0 s'))

beforeAll(async () => {
  upstream = await startFakeCompatible({
    models: Object.keys(SCRIPT),
    script: ({ model, messages }) => ({
      steps: SCRIPT[model]!(String(messages.at(-1)?.content)),
    }),
  })
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-checks-'))
  gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'sk-0000000000000000',
    MODEL_PRICES: JSON.stringify([{ model: 'one', input: 2, output: 4, currency: 'EUR' }]),
  })
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  token = (await post<{ token: string }>('/api/v1/auths/signup', account)).token
  const made = { command: 'greet', name: 'Greet', content: 'Greet {{who}}.' }
  const { id, version_id: first } = await post<{ id: string; version_id: string }>(
    '/api/v1/prompts/create',
    made,
  )
  const expectations = [
    { kind: 'contains', text: 'hello' },
    { kind: 'judged', question: 'It greets.' },
  ]
  await post(`/api/v1/prompts/id/${id}/checks`, {
    cases: [{ name: 'Ada', values: { who: 'Ada' }, expectations }],
  })
  await post('/api/v1/prompts/create', { command: 'plain', name: 'Plain', content: 'Hi' })
  const second = await post<{ version_id: string }>(`/api/v1/prompts/id/${id}/update`, {
    content: 'Greet {{who}} politely.',
  })
  versions = [first, second.version_id]
}, 60_000)
afterAll(async () => {
  await gateway.kill()
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('chat-gateway check-prompts', () => {
  it('shows models side by side with result, time, cost and reason, and ends with 1 when one failed', async () => {
    const { code, out, error } = await run(
      '-m',
      'two,one,three',
      '--version-ids',
      versions[0]!,
      '--judge',
      'judge',
    )
    expect(code).toBe(1)
    expect(rowsOf(out)).toEqual([
      'PROMPT CASE MODEL RESULT TIME COST WHY',
      'greet Ada one passed 0.0 s 0.0040 EUR',
      expect.stringMatching(/^greet Ada three failed 0\.0 s - \S/),
      'greet Ada two failed 0.0 s - The answer does not say "hello". By its words.',
      '',
    ])
    expect(error).toContain('/3 greet Ada two: failed\n')
    expect((await run('-m', 'one', '--version-ids', versions[0]!, '--judge', 'judge')).code).toBe(0)
  })

  it('tells versions apart, and prints the answers with the lines in which they differ', async () => {
    const [first, second] = versions as [string, string]
    const asked = ['-m', 'one,two', '--version-ids', versions.join(','), '--judge', 'judge']
    const { out } = await run(...asked, '--answers', '/greet')
    const [head, ...rest] = out.split('\n')
    expect(head).toMatch(/^PROMPT +CASE +MODEL +VERSION +RESULT/)
    for (const version of versions) expect(out.split(version)).toHaveLength(5)
    const at = (model: string, version: string) =>
      rest.slice(rest.indexOf(`greet · Ada · ${model} · ${version}`) + 1).slice(0, 2)
    const [earlier, later] = first < second ? [first, second] : [second, first]
    const texts = new Map([
      [first, ['Hello Ada!', 'Bye.']],
      [second, ['Dear Ada,', 'hello!']],
    ])
    expect(at('one', earlier)).toEqual(texts.get(earlier)!.map((line) => `  ${line}`))
    expect(at('one', later)).toEqual(texts.get(later)!.map((line) => `+ ${line}`))
    expect(at('two', earlier)[0]).toBe('+ Hi Ada!')
    expect((await run('-m', 'two', '--answers', 'greet')).out).toContain('\n  Hi Ada!\n  Bye.\n')
    const { out: json } = await run(...asked, '--json')
    expect(JSON.parse(json)).toMatchObject([
      { command: 'greet', results: [{ model: 'one' }, { model: 'one' }, { model: 'two' }, {}] },
    ])
  })

  it('says what is wrong, and asks no model then', async () => {
    upstream.requests.length = 0
    const usage = await run()
    expect([usage.code, usage.out]).toEqual([2, ''])
    expect(usage.error).toContain('--model <id>')
    for (const [words, said] of [
      [['-m', 'one', 'missing'], /prompt/i],
      [['-m', 'one', 'plain'], /check/i],
      [['-m', 'one', '--version-ids', 'missing', 'greet'], /version/i],
    ] as const) {
      const { code, out, error } = await run(...words)
      expect([code, out], words.join(' ')).toEqual([1, ''])
      expect(error).toMatch(said)
    }
    expect(upstream.requests.filter(({ path: asked }) => asked.includes('completions'))).toEqual([])
    expect((await run('-m', 'one', '--loud')).code).toBe(2)
  })
})
