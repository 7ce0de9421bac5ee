import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, PNG, TOOL_CALL } from '../sdks/expected.ts'
import { startWorld, type World } from '../sdks/world.ts'
import { runPython } from './run-python.ts'

const SCRIPT = path.join(import.meta.dirname, 'python/litellm_scenarios.py')
const MINUTES = 60_000

interface Outcome {
  readonly scenario: string
  readonly result?: unknown
  readonly error?: string
}

/**
 * Scenarios that each handler supports; those of the local runtime reach it through its own
 * dialect.
 */
const HANDLERS: readonly [handler: string, scenarios: readonly string[]][] = [
  [
    'openai',
    ['chat', 'stream', 'tools', 'image', 'unknown', 'refused', 'busy', 'embed', 'respond'],
  ],
  ['text-completion-openai', ['chat', 'stream', 'unknown', 'refused', 'busy']],
  ['anthropic', ['chat', 'stream', 'tools', 'image', 'unknown', 'refused', 'busy']],
  ['ollama', ['chat', 'stream', 'unknown', 'refused', 'busy']],
  ['ollama_chat', ['chat', 'stream', 'tools', 'image', 'unknown', 'refused', 'busy']],
]

const CHECKS: Readonly<Record<string, (result: unknown) => void>> = {
  chat: (result) => expect(result).toBe(ANSWER),
  stream(result) {
    const pieces = result as string[]
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(ANSWER)
  },
  tools: (result) => expect(result).toEqual([TOOL_CALL]),
  image: (result) => expect(result).toContain(PNG.slice(0, 20)),
  unknown: (result) =>
    expect(result).toMatchObject({
      status: 400,
      message: expect.stringMatching(/not found: \W*no-such-model/i) as string,
    }),
  refused: (result) => expect(result).toMatchObject({ status: 401 }),
  busy: (result) => expect(result).toMatchObject({ status: 429, kind: 'RateLimitError' }),
  embed: (result) => expect(result).toEqual([expect.any(Number), expect.any(Number)]),
  respond: (result) => expect(result).toBe(ANSWER),
}

describe.runIf(process.env['CLIENTS_FOLDER'])('The unmodified LiteLLM', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.close())

  describe.each(HANDLERS)('through its handler %s', (handler, scenarios) => {
    const outcomes = new Map<string, Outcome>()
    beforeAll(async () => {
      const input = JSON.stringify({ handler, scenarios, url: world.url, key: world.key, png: PNG })
      const { out } = await runPython('python', { place: 'litellm', args: [SCRIPT], input })
      const lines = out.split('\n').filter((line) => line.startsWith('{"scenario"'))
      for (const outcome of lines.map((line) => JSON.parse(line) as Outcome))
        outcomes.set(outcome.scenario, outcome)
    }, 5 * MINUTES)

    test.each(scenarios)('%s', (scenario) => {
      const outcome = outcomes.get(scenario)
      expect(outcome?.error).toBeUndefined()
      CHECKS[scenario]!(outcome?.result)
    })
  })
})
