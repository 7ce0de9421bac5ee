import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestDetail } from '../../server/contract/requests.ts'
import { findFaults, LAST_WORD, offeredTools, toolResults } from './agent-script.ts'
import {
  startAgentWorld,
  TARGETS,
  upstreamOf,
  type AgentWorld,
  type TargetKind,
} from './agent-world.ts'
import { CODING_AGENTS, type CodingAgent } from './coding-agents.ts'

const folder = process.env['CLIENTS_FOLDER']
const MINUTES = 60_000
const SECRET = 'The marker is 4711.'
const WRITTEN = 'She said: "Grüße"\n\tand \\ went to $HOME.'

interface Ending {
  readonly code: number | null
  readonly output: string
}

/** Runs an agent to its end, without a terminal and without network access beyond this computer. */
async function runAgent(
  agent: CodingAgent,
  world: AgentWorld,
  { work, model }: { work: string; model: string },
): Promise<Ending> {
  const home = mkdtempSync(path.join(folder!, 'home-'))
  const { command, args, env } = agent.start(
    { work, home, url: world.url, key: world.key, model },
    'Read the secret and write the answer.',
  )
  const proxies = {
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  }
  const child = spawn(command, args, {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: home, TERM: 'dumb', ...proxies, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 4 * MINUTES,
  })
  const [out, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, output: `${out}\n${errors}` }
}

function makeWork(): string {
  const work = mkdtempSync(path.join(folder!, 'work-'))
  // Agents treat the nearest repository as their workspace.
  mkdirSync(path.join(work, '.git/refs'), { recursive: true })
  mkdirSync(path.join(work, '.git/objects'))
  writeFileSync(path.join(work, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path.join(work, 'secret.txt'), SECRET)
  return work
}

/** One agent offers its tools in a different form to the newest models. */
const MORE: Readonly<Record<string, readonly TargetKind[]>> = { '@openai/codex': ['newest'] }
const COMMON: readonly TargetKind[] = ['provider', 'runtime', 'messages']

describe.runIf(folder).each(CODING_AGENTS)('The unmodified $name', (agent) => {
  describe.each([...COMMON, ...(MORE[agent.name] ?? [])])('with a model of the kind %s', (kind) => {
    let file: string
    let world: AgentWorld
    let ending: Ending
    let calls: RequestDetail[]
    beforeAll(async () => {
      const work = makeWork()
      file = path.join(work, 'answer.txt')
      // Some agents lose the output of a command that ends at once.
      world = await startAgentWorld([
        agent.shell('cat secret.txt && sleep 0.5'),
        agent.write(file, WRITTEN),
      ])
      ending = await runAgent(agent, world, { work, model: TARGETS[kind] })
      calls = await world.calls()
    }, 5 * MINUTES)
    afterAll(() => world.close())

    /** Returns the conversations with tools that reached the provider, the last one at the end. */
    const reached = () =>
      world.upstreams[upstreamOf(kind)].requests
        .flatMap(({ json, path: at }) => (json && !at.endsWith('/responses') ? [json] : []))
        .filter((body) => offeredTools(body).length > 0)

    test('works through its tools to the last word of the model', () => {
      expect(ending.output).toContain(LAST_WORD)
      expect(ending.code).toBe(0)
    })

    test('does what the model asked for, to the letter', () => {
      expect(readFileSync(file, 'utf8').trimEnd()).toBe(WRITTEN)
    })

    test('has the results of its tools told to the model', () => {
      const results = toolResults(reached().at(-1)!)
      expect(results).toHaveLength(2)
      expect(results[0]).toContain(SECRET)
    })

    test('sends the provider nothing it would refuse', () => {
      expect(reached().length).toBeGreaterThanOrEqual(3)
      expect(findFaults(world.upstreams[upstreamOf(kind)])).toEqual([])
    })

    test('leaves a log that shows what was sent beside what came in, and what was left out', () => {
      expect(calls.length).toBeGreaterThanOrEqual(3)
      for (const { path: at, status, attempts, request_body: came } of calls) {
        expect([at.replace(/\?.*/, ''), status]).toEqual([agent.path, 200])
        expect(came).not.toBeNull()
        expect(attempts.at(-1)!.request_body).not.toBeNull()
      }
      const isAsItCame = agent.path.endsWith('/messages') && kind === 'messages'
      const ignored = calls[0]!.ignored_fields.map(({ field }) => field)
      expect(ignored).toEqual(expect.arrayContaining(isAsItCame ? [] : [...agent.ignored]))
    })
  })
})
