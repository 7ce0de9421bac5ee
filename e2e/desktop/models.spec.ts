import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { writeTinyModel } from '../../server/testing/write-tiny-model.ts'
import { buildPrograms } from './build-programs.ts'
import { expect, test as base } from './desktop-app.ts'
import type { EngineOrder } from './engine-app/gateway.ts'
import { isAlive } from './is-alive.ts'

const executable = process.env['ELECTRON_BINARY']

const PROGRAMS = {
  main: 'e2e/desktop/engine-app/main.ts',
  gateway: 'e2e/desktop/engine-app/gateway.ts',
  'engine-program': 'e2e/desktop/engine-app/engine.ts',
}

interface EngineApp {
  readonly electron: ElectronApplication
  ask(order: Omit<EngineOrder, 'id' | 'type'>): Promise<{ status: number | null; text: string }>
  /** Returns the model processes, as listed by Electron. */
  findEngines(): Promise<number[]>
}

const test = base.extend<{ engine: EngineApp }, { programs: string }>({
  /** Folder of the built programs, which take longer to build than to run. */
  programs: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'engine-app-'))
      await buildPrograms(folder, PROGRAMS, ['node-llama-cpp'])
      const models = path.join(folder, 'models')
      mkdirSync(models)
      writeTinyModel(path.join(models, 'tiny.gguf'), { contextLength: 4096 })
      writeTinyModel(path.join(models, 'tiny-embed.gguf'), { pooling: 'mean', seed: 3 })
      await use(folder)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
    { scope: 'worker' },
  ],
  engine: async ({ programs: folder }, use) => {
    const electron = await _electron.launch({
      ...(executable && { executablePath: executable }),
      args: ['main.js', 'gateway.js', 'models'].map((name) => path.join(folder, name)),
      chromiumSandbox: true,
      env: { ...(process.env as Record<string, string>), OPENAI_API_KEY: 'secret of the app' },
    })
    await expect.poll(() => electron.evaluate(() => typeof globalThis.askEngine)).toBe('function')
    await use({
      electron,
      ask: (order) =>
        electron.evaluate((_, asked) => globalThis.askEngine(asked), {
          ...order,
          type: 'ask',
        } as const),
      findEngines: () =>
        electron.evaluate(({ app }) =>
          app
            .getAppMetrics()
            .flatMap(({ name, pid }) => (name === 'Chat Gateway model engine' ? [pid] : [])),
        ),
    })
    await electron.close()
  },
})

const chat = (options: object = {}, rest: object = {}) => ({
  method: 'POST' as const,
  path: '/api/chat',
  body: {
    model: 'tiny',
    messages: [{ role: 'user', content: 'Hello there' }],
    options: { num_predict: 12, seed: 5, ...options },
    ...rest,
  },
})

interface Line {
  readonly message?: { readonly content: string }
  readonly done?: boolean
  readonly error?: string
  readonly eval_count?: number
}

const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

async function listLoaded(engine: EngineApp): Promise<string[]> {
  const { text } = await engine.ask({ method: 'GET', path: '/api/ps' })
  return (JSON.parse(text) as { models: { name: string }[] }).models.map(({ name }) => name)
}

test('a model answers and embeds in a utility process that is started for it alone', async ({
  engine,
}) => {
  expect(await engine.findEngines()).toEqual([])
  const { status, text } = await engine.ask(chat())
  expect(status, text).toBe(200)
  const lines = linesOf(text)
  expect(lines.map(({ message }) => message?.content ?? '').join('')).toMatch(/\w+ \w+ \w+/)
  expect(lines.at(-1)).toMatchObject({ done: true, eval_count: 12 })
  const input = ['a quiet river', 'a bird sings']
  const embedded = await engine.ask({
    method: 'POST',
    path: '/api/embed',
    body: { model: 'tiny-embed', input },
  })
  const { embeddings } = JSON.parse(embedded.text) as { embeddings: number[][] }
  expect(embeddings.map((vector) => vector.length)).toEqual([64, 64])
  for (const vector of embeddings) expect(Math.hypot(...vector)).toBeCloseTo(1, 3)
  const [pid, ...others] = await engine.findEngines()
  expect(others).toEqual([])
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('OPENAI_API_KEY')
  expect((await listLoaded(engine)).toSorted()).toEqual(['tiny', 'tiny-embed'])
})

test('a model leaves the memory when it is told to, and the next call loads it again', async ({
  engine,
}) => {
  await engine.ask(chat())
  expect(await listLoaded(engine)).toEqual(['tiny'])
  const freed = await engine.ask({
    method: 'POST',
    path: '/api/chat',
    body: { model: 'tiny', messages: [], keep_alive: 0 },
  })
  expect(freed.text).toContain('"unload"')
  await expect.poll(() => listLoaded(engine)).toEqual([])
  expect((await engine.ask(chat())).status).toBe(200)
})

/** Returns the seconds of processor time a process has used. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

test('an answer that is left stops the model', async ({ engine }) => {
  await engine.ask(chat())
  const [pid] = await engine.findEngines()
  const left = await engine.ask({ ...chat({ num_predict: 3500 }), leavesEarly: true })
  expect(left.text).toContain('"message"')
  await new Promise((resolve) => setTimeout(resolve, 500))
  const before = processorSeconds(pid!)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(processorSeconds(pid!) - before).toBeLessThan(0.2)
  expect((await engine.ask(chat())).status).toBe(200)
})

test('the end of the process amid an answer hurts nothing else, and the next call starts another', async ({
  engine,
}) => {
  await engine.ask(chat())
  const [pid] = await engine.findEngines()
  const answer = engine.ask(chat({ num_predict: 3500 }))
  setTimeout(() => process.kill(pid!, 'SIGKILL'), 300)
  const broken = await answer
  expect(broken.text).not.toContain('"done":true,')
  expect((await engine.ask({ method: 'GET', path: '/api/tags' })).text).toContain('tiny-embed')
  const again = await engine.ask(chat())
  expect(linesOf(again.text).at(-1)).toMatchObject({ done: true })
  const [next] = await engine.findEngines()
  expect(next).not.toBe(pid)
})

test('no process of models outlives the gateway', async ({ engine }) => {
  await engine.ask(chat())
  const [pid] = await engine.findEngines()
  await engine.electron.evaluate(({ app }) => setTimeout(() => app.quit(), 0))
  await expect.poll(() => isAlive(pid!)).toBe(false)
})

base('a model of the own folder answers in the window', async ({ profile, start }) => {
  const models = path.join(profile, 'data', 'models')
  mkdirSync(models, { recursive: true })
  writeTinyModel(path.join(models, 'tiny.gguf'), { contextLength: 2048 })
  const { page, chat: view } = await start()
  await page.getByRole('button', { name: 'Skip guide' }).click()
  await view.composer.waitFor()
  await view.composer.fill('Hello river')
  await view.composer.press('Enter')
  await expect(page.getByRole('article').last()).toContainText(
    /stone|river|roof|light|walks|bird|rains|green|quiet|sings|morning/,
    { timeout: 40_000 },
  )
})
