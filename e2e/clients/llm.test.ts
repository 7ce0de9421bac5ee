import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, PNG } from '../sdks/expected.ts'
import { startWorld, type World } from '../sdks/world.ts'
import { LAST_WORD, toolResults } from './agent-script.ts'
import { startAgentWorld, TARGETS, type AgentWorld } from './agent-world.ts'
import { runPython, type Ran } from './run-python.ts'

const folder = process.env['CLIENTS_FOLDER']

/**
 * Runs the program with the models of a gateway, which it names `gw-` followed by the model name.
 */
function createRunner({ url, key }: { url: string; key: string }, models: readonly string[]) {
  const home = mkdtempSync(path.join(folder!, 'home-'))
  const toRow = (name: string, more: object) => ({
    model_id: `gw-${name}`,
    model_name: name,
    api_base: `${url}/v1`,
    api_key_name: 'gateway',
    ...more,
  })
  const rows = [
    ...models.map((name) =>
      toRow(name, { vision: true, supports_tools: true, supports_schema: true }),
    ),
    toRow('text', { model_id: 'gw-older', completion: true }),
  ]
  // Every JSON document is YAML as well.
  writeFileSync(path.join(home, 'extra-openai-models.yaml'), JSON.stringify(rows))
  writeFileSync(path.join(home, 'keys.json'), JSON.stringify({ gateway: key, wrong: 'sk-wrong' }))
  writeFileSync(path.join(home, 'picture.png'), Buffer.from(PNG, 'base64'))
  const run = (...args: string[]): Promise<Ran> =>
    runPython('llm', { place: 'llm', args, env: { LLM_USER_PATH: home } })
  return { home, run }
}

describe.runIf(folder)('The unmodified program llm', () => {
  let world: World
  let llm: ReturnType<typeof createRunner>
  beforeAll(async () => {
    world = await startWorld()
    llm = createRunner(world, ['text', 'image', 'busy', 'gone'])
  })
  afterAll(() => world.close())

  test.each([
    ['as a stream', 'gw-text', []],
    ['whole', 'gw-text', ['--no-stream']],
    ['as a completion of text', 'gw-older', []],
    ['as a completion of text, whole', 'gw-older', ['--no-stream']],
  ])('gets an answer %s', async (_, model, args) => {
    const { out, errors } = await llm.run('-m', model, ...args, 'Hello')
    expect(errors).toBe('')
    expect(out.trim()).toBe(ANSWER)
  })

  test('goes on with a conversation it keeps itself', async () => {
    await llm.run('-m', 'gw-text', '--system', 'Be brief.', 'First')
    const { out } = await llm.run('-c', 'Second')
    expect(out.trim()).toBe(ANSWER)
    const sent = world.upstreamOf('text').requests.at(-1)!.json!['messages'] as { role: string }[]
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  test('sends a picture', async () => {
    const { out } = await llm.run(
      '-m',
      'gw-image',
      'What is this?',
      '-a',
      path.join(llm.home, 'picture.png'),
    )
    expect(out).toContain(PNG.slice(0, 20))
  })

  test('asks for an answer by a schema', async () => {
    await llm.run('-m', 'gw-text', '--schema', 'name, age int', 'Invent a dog')
    const format = world.upstreamOf('text').requests.at(-1)!.json!['response_format']
    expect(JSON.stringify(format)).toContain('"age":{"type":"integer"}')
  })

  test.each([
    ['an unknown model', ['-m', 'gw-gone'], 'Model not found: \\"gone\\"'],
    ['a limit', ['-m', 'gw-busy'], '429'],
    ['a wrong key', ['-m', 'gw-text', '--key', 'wrong'], '401'],
  ])('says what is wrong with %s', async (_, args, words) => {
    const { code, errors } = await llm.run(...args, 'Hello')
    expect(code).not.toBe(0)
    expect(errors.replaceAll("'", '"')).toMatch(new RegExp(words.replaceAll('\\"', '\\\\?"')))
  })
})

describe.runIf(folder).each(['provider', 'runtime', 'messages'] as const)(
  'The unmodified program llm with tools and a model of the kind %s',
  (kind) => {
    let world: AgentWorld
    beforeAll(async () => {
      world = await startAgentWorld([{ read_secret: { name: 'Zoë "Z"' } }])
    })
    afterAll(() => world.close())

    test('runs them and tells the model what came of it', async () => {
      const { run } = createRunner(world, [TARGETS[kind]])
      const code =
        'def read_secret(name: str) -> str:\n    "Reads a secret"\n    return f"The secret of {name} is 4711."'
      const { out, errors } = await run(
        '-m',
        `gw-${TARGETS[kind]}`,
        '--functions',
        code,
        'What is the secret?',
      )
      expect(errors).toBe('')
      expect(out).toContain(LAST_WORD)
      expect(toolResults(world.upstreams[kind].requests.at(-1)!.json!).join()).toContain('is 4711.')
    })
  },
)
