import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFaults, toolResults } from './agent-script.ts'
import { startAgentWorld, TARGETS, type AgentWorld, type TargetKind } from './agent-world.ts'
import { runPython, type Ran } from './run-python.ts'

const folder = process.env['CLIENTS_FOLDER']
const MINUTES = 60_000
const SECRET = 'The marker is 4711.'

/**
 * Each handler of LiteLLM as the agent uses it, with its base URL, the model behind it, and the
 * path it calls.
 */
const HANDLERS: readonly [
  handler: string,
  place: string,
  kind: Exclude<TargetKind, 'newest'>,
  called: string,
][] = [
  ['openai', '/v1', 'provider', '/v1/chat/completions'],
  ['openai', '/ollama/v1', 'runtime', '/ollama/v1/chat/completions'],
  ['anthropic', '', 'messages', '/v1/messages'],
  ['anthropic', '', 'provider', '/v1/messages'],
  ['ollama_chat', '/ollama', 'runtime', '/ollama/api/chat'],
]

describe.runIf(folder).each(HANDLERS)(
  'The unmodified mini-swe-agent through %s at "%s" with a model of the kind %s',
  (handler, place, kind, called) => {
    let world: AgentWorld
    let work: string
    let ending: Ran
    beforeAll(async () => {
      work = mkdtempSync(path.join(folder!, 'work-'))
      writeFileSync(path.join(work, 'secret.txt'), SECRET)
      const last = { command: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat answer.txt' }
      world = await startAgentWorld([
        { bash: { command: 'cat secret.txt' } },
        { bash: { command: 'cp secret.txt answer.txt' } },
        { bash: last },
      ])
      const options = [
        `model.model_kwargs.api_base=${world.url}${place}`,
        `model.model_kwargs.api_key=${world.key}`,
      ]
      const args = [
        '-m',
        `${handler}/${TARGETS[kind]}`,
        '-t',
        'Copy the secret',
        '-y',
        '--exit-immediately',
        '-o',
        path.join(work, 'steps.json'),
      ]
      const env = {
        HOME: mkdtempSync(path.join(folder!, 'home-')),
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        MSWEA_COST_TRACKING: 'ignore_errors',
        MSWEA_CONFIGURED: '1',
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost',
      }
      const configs = ['mini.yaml', ...options].flatMap((option) => ['-c', option])
      ending = await runPython('mini', {
        place: 'litellm',
        args: [...args, ...configs],
        env,
        cwd: work,
      })
    }, 5 * MINUTES)
    afterAll(() => world.close())

    test('works through its tool to the end', () => {
      expect(ending.out).toMatch(/Exit:\s+The marker is 4711\./)
      expect(readFileSync(path.join(work, 'answer.txt'), 'utf8')).toBe(SECRET)
    })

    test('has the results told to the model, in conversations every provider takes', async () => {
      const asked = world.upstreams[kind].requests.filter(({ json }) => json?.['messages'])
      expect(asked.length).toBeGreaterThanOrEqual(3)
      expect(toolResults(asked.at(-1)!.json!)[0]).toContain(SECRET)
      expect(findFaults(world.upstreams[kind])).toEqual([])
      const calls = await world.calls()
      expect(new Set(calls.map((call) => `${call.path} ${call.status}`))).toEqual(
        new Set([`${called} 200`]),
      )
    })
  },
)
