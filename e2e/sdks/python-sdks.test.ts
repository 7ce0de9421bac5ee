import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, PNG, TOOL_CALL } from './expected.ts'
import { startWorld, type World } from './world.ts'

/** A Python with the packages of `python/requirements.txt`; the test command creates one. */
const python = process.env['SDK_PYTHON']

interface Outcome {
  readonly scenario: string
  readonly result?: unknown
  readonly error?: string
}

async function runScenarios(world: World, sdk: string): Promise<Map<string, Outcome>> {
  const child = spawn(python!, [path.join(import.meta.dirname, 'python/scenarios.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ sdk, url: world.url, key: world.key, png: PNG }))
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  const outcomes = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Outcome)
  return new Map(outcomes.map((outcome) => [outcome.scenario, outcome]))
}

describe.runIf(python)('the unmodified Python packages', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.close())

  describe.each([
    ['openai', ''],
    ['anthropic', ''],
    ['ollama', 'local-'],
  ])('%s', (sdk, prefix) => {
    let outcomes: Map<string, Outcome>
    let abortsBefore: number
    beforeAll(async () => {
      abortsBefore = world.upstreamOf(`${prefix}slow`).aborts()
      outcomes = await runScenarios(world, sdk)
    }, 60_000)

    const resultOf = (scenario: string): unknown => {
      const outcome = outcomes.get(scenario)
      expect(outcome?.error).toBeUndefined()
      return outcome?.result
    }

    test('lists the models', () => {
      expect(resultOf('list')).toContain(`${prefix}text`)
    })

    test('gets a whole answer', () => {
      expect(resultOf('chat')).toBe(ANSWER)
    })

    test('gets a stream in pieces, which are the whole answer', () => {
      const pieces = resultOf('stream') as string[]
      // Pieces of one network read may be delivered together.
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.join('')).toBe(ANSWER)
    })

    test('gets tool calls', () => {
      expect(resultOf('tools')).toEqual([TOOL_CALL])
    })

    test('sends a picture', () => {
      expect(resultOf('image')).toContain(PNG.slice(0, 20))
    })

    test('reports errors with the status and the sentence of the gateway', () => {
      expect(resultOf('unknown')).toMatchObject({
        status: 400,
        message: expect.stringMatching(/not found/i) as string,
      })
      expect(resultOf('refused')).toMatchObject({ status: 401 })
      expect(resultOf('busy')).toMatchObject({ status: 429 })
    })

    test('cancels the upstream when it leaves', async () => {
      resultOf('cancel')
      await expect
        .poll(() => world.upstreamOf(`${prefix}slow`).aborts(), { timeout: 5000 })
        .toBe(abortsBefore + 1)
    })
  })
})
