import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const program = path.join(root, 'out/command-line/index.js')

let gateway: GatewayProcess
let dataDir: string

interface Run {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

async function run(
  words: readonly string[],
  options: { input?: string; environment?: Record<string, string>; folder?: string } = {},
): Promise<Run> {
  const environment = {
    PATH: process.env['PATH'],
    HOME: dataDir,
    DATA_DIR: options.folder ?? dataDir,
    ...options.environment,
  }
  const child = spawn(process.execPath, [program, ...words], { env: environment, stdio: 'pipe' })
  child.stdin.end(options.input)
  const [out, error] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, out, error }
}
const json = async (words: readonly string[]) =>
  JSON.parse((await run([...words, '--json'])).out) as Record<string, unknown>

const post = (target: string, body: unknown, token = '') =>
  fetch(gateway.url + target, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

let token: string
beforeAll(async () => {
  execFileSync(process.execPath, [path.join(root, 'resources/scripts/build.ts'), 'command-line'], {
    stdio: 'pipe',
  })
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-'))
  gateway = await startGatewayProcess({ DATA_DIR: dataDir, ENABLE_API_KEYS: 'true' })
  const session = await post('/api/v1/auths/signup', {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })
  token = ((await session.json()) as { token: string }).token
}, 60_000)
afterAll(async () => {
  await gateway.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('chat-gateway', () => {
  it('explains itself, and says what was wrong with exit code 2', async () => {
    expect(await run(['--help'])).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringContaining('key create <name>'),
    })
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    for (const words of [
      [],
      ['nonsense'],
      ['status', '--loud'],
      ['key'],
      ['key', 'create'],
      ['backup', 'a', 'b'],
      ['logs', '-n', 'x'],
      ['ask'],
      ['share'],
      ['share', 'everywhere'],
      ['share', 'on', '--hours', 'soon'],
    ]) {
      expect(await run(words), words.join(' ')).toMatchObject({
        code: 2,
        out: '',
        error: expect.stringMatching(/chat-gateway|--limit/),
      })
    }
  })

  it('finds the running gateway by its discovery file', async () => {
    const { pid } = gateway.child
    expect(await run(['url'])).toEqual({ code: 0, out: `${gateway.url}\n`, error: '' })
    expect(await json(['status'])).toMatchObject({
      running: true,
      url: gateway.url,
      pid,
      data_dir: dataDir,
      user: { name: 'Ada', role: 'admin' },
    })
    expect((await run(['status', '--data-dir', dataDir], { folder: '/nowhere' })).out).toContain(
      'signed in as Ada (admin)',
    )
  })

  it('says with exit code 3 that none runs, also when one was killed and left its file', async () => {
    const folder = createTemporaryFolder()
    expect(await run(['models'], { folder })).toMatchObject({
      code: 3,
      error: expect.stringContaining('No gateway is running'),
    })
    const killed = await startGatewayProcess({ DATA_DIR: folder })
    await killed.kill()
    expect(existsSync(path.join(folder, 'gateway.json'))).toBe(true)
    expect(await run(['url'], { folder })).toMatchObject({
      code: 3,
      error: expect.stringContaining('without tidying up'),
    })
    expect(await run(['status', '--json'], { folder })).toMatchObject({
      code: 3,
      out: '{\n  "running": false\n}\n',
    })
    writeFileSync(path.join(folder, 'gateway.json'), 'not JSON')
    expect((await run(['url'], { folder })).code).toBe(3)
  })

  it('signs in with the key of the environment, and says with exit code 4 when it is refused', async () => {
    const environment = { CHAT_GATEWAY_API_KEY: 'sk-wrong-wrong-wrong' }
    expect(await run(['models'], { environment })).toMatchObject({ code: 4, out: '' })
    expect((await run(['models'])).code).toBe(0)
  })

  it('makes a key that works, lists it without its text, and revokes it by name', async () => {
    const made = await run(['key', 'create', 'my script'])
    const key = made.out.trim()
    expect(made).toMatchObject({ code: 0, error: expect.stringContaining('shown only now') })
    expect(await run(['models'], { environment: { CHAT_GATEWAY_API_KEY: key } })).toMatchObject({
      code: 0,
    })
    const listed = await run(['key', 'list'])
    expect(listed.out).toContain('my script')
    expect(listed.out).not.toContain(key)
    expect((await run(['key', 'revoke', 'my script'])).code).toBe(0)
    expect(await run(['models'], { environment: { CHAT_GATEWAY_API_KEY: key } })).toMatchObject({
      code: 4,
    })
    expect(await run(['key', 'revoke', 'my script'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('no key'),
    })
  })

  it('checks prompts on models side by side, and fails when an answer is not as expected', async () => {
    expect(await run(['check-prompts'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('Usage'),
    })
    expect(await run(['check-prompts', '-m', 'guide'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('No prompt has checks'),
    })
    const prompt = { command: '/privacy', name: 'Privacy', content: 'What about {{what}}?' }
    const made = await (await post('/api/v1/prompts/create', prompt, token)).json()
    const { id } = made as { id: string }
    const save = (text: string) =>
      post(
        `/api/v1/prompts/id/${id}/checks`,
        {
          cases: [
            {
              name: 'Own',
              values: { what: 'privacy' },
              expectations: [{ kind: 'contains', text }],
            },
          ],
        },
        token,
      )
    await save('computer')
    const passed = await run(['check-prompts', '-m', 'guide', 'privacy'])
    expect(passed).toMatchObject({ code: 0, error: '1/1 /privacy Own guide: passed\n' })
    expect(passed.out).toMatch(/\/privacy +Own +guide +passed +\d+\.\d s/)
    await save('a word the guide never says')
    const failed = await run(['check-prompts', '-m', 'guide'])
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('does not say') })
    expect(await json(['check-prompts', '-m', 'guide'])).toMatchObject([
      { command: '/privacy', results: [{ case: 'Own', isPassed: false }] },
    ])
    expect(await run(['check-prompts', '-m', 'guide', 'unknown'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('no such prompt'),
    })
  })

  it('lists models and asks one, with the words given and those piped in', async () => {
    expect((await run(['models'])).out).toContain('guide')
    const answer = await run(['ask', '--model', 'guide', 'How do I connect a model?'])
    expect(answer).toMatchObject({ code: 0, error: '', out: expect.stringContaining('not an AI') })
    expect((await run(['ask', '-'], { input: 'What about privacy?' })).out.length).toBeGreaterThan(
      50,
    )
    expect(await json(['ask', 'privacy'])).toMatchObject({ object: 'chat.completion' })
    expect(await run(['ask', '-m', 'no-such-model', 'hello'])).toMatchObject({
      code: 1,
      error: 'Model not found: "no-such-model".\n',
    })
  })

  it('shows the last calls and follows those to come', async () => {
    await post('/api/v1/chats/new', { chat: { title: 'Logged' } }, token)
    const { out } = await run(['logs', '--text', 'chats.create'])
    expect(out).toMatch(/ 200 .*POST +\/api\/v1\/chats\/new.*Ada/)
    const follower = spawn(
      process.execPath,
      [program, 'logs', '-f', '-n', '1', '--json', '--text', 'chats'],
      {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let seen = ''
    follower.stdout.on('data', (part: Buffer) => (seen += part.toString()))
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('chats.create')
    await post('/api/v1/chats/no-such-chat', { chat: {} }, token)
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('"status":404')
    follower.kill('SIGINT')
    await once(follower, 'close')
  })

  it('shares the gateway with the network, says where, and ends that', async () => {
    expect(await run(['share', 'status'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Not shared'),
    })
    const on = await run(['share', 'on', '--address', '127.0.0.1', '--hours', '2'])
    expect(on.code).toBe(0)
    expect(on.out).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/m)
    expect(on.out).toMatch(/^Fingerprint \(SHA-256\) ([\dA-F]{2}:){31}[\dA-F]{2}$/m)
    expect(on.out).toContain('Ends by itself at')
    expect(await json(['share', 'status'])).toMatchObject({ on: true, fault: null })
    expect(await run(['share', 'on', '--address', '8.8.8.8'])).toMatchObject({
      code: 1,
      error: '8.8.8.8 is no address of the gateway in a private network.\n',
    })
    expect((await run(['share', 'off'])).out).toContain('Not shared')
  })

  it('backs the database up into a new file that only its owner can read', async () => {
    const file = path.join(createTemporaryFolder(), 'copy.db')
    expect(await run(['backup', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining(file),
    })
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await run(['backup', file])).toMatchObject({
      code: 1,
      error: expect.stringContaining('exists already'),
    })
    expect(String((await json(['backup']))['path'])).toContain('manual')
  })

  it('examines a healthy gateway, one that does not run, and what is wrong with a folder', async () => {
    const found = await run(['doctor'])
    expect(found).toMatchObject({
      code: 0,
      out: expect.stringContaining(`answers at ${gateway.url}`),
    })
    expect(found.out).toMatch(/Address: browsers .*\n +→ Set WEBUI_URL/)
    const folder = createTemporaryFolder()
    const other = await startGatewayProcess({
      DATA_DIR: folder,
      OPENAI_API_BASE_URLS: 'http://127.0.0.1:9/v1',
    })
    await fetch(`${other.url}/api/v1/auths/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Eve', email: 'eve@example.com', password: 'a long password' }),
    })
    const failing = await run(['doctor'], { folder })
    expect(failing.out).toMatch(
      /look +127\.0\.0\.1.*: http:\/\/127\.0\.0\.1:9\/v1: No program listens on port 9 .*\n +→ Start the program/,
    )
    await other.terminate()
    chmodSync(folder, 0o700)
    const sound = await run(['doctor'], { folder })
    expect(sound.out).toContain('sound from beginning to end')
    expect(sound.code).toBe(0)
    chmodSync(path.join(folder, 'secret.key'), 0o644)
    writeFileSync(path.join(folder, 'chat-gateway.db'), 'no database at all')
    const broken = await run(['doctor'], { folder })
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/PROBLEM secret\.key: others can read it\n +→ Close it: chmod 600/)
    expect(broken.out).toMatch(
      /PROBLEM Database: damaged: .*\n +→ Start the gateway with DATABASE_RECOVERY=restore/,
    )
    expect(await run(['doctor', '--data-dir', '/no/such/folder'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not there'),
    })
  })

  it.runIf(process.platform === 'linux')(
    'opens the interface in the browser of the system',
    async () => {
      const tools = createTemporaryFolder()
      const seen = path.join(tools, 'seen')
      writeFileSync(
        path.join(tools, 'xdg-open'),
        `#!/bin/sh\necho "$1" > ${JSON.stringify(seen)}\n`,
        { mode: 0o700 },
      )
      expect(
        await run(['open'], { environment: { PATH: `${tools}:/usr/bin:/bin` } }),
      ).toMatchObject({ code: 0, out: `${gateway.url}\n` })
      await expect
        .poll(() => existsSync(seen) && readFileSync(seen, 'utf8'), { timeout: 5000 })
        .toBe(`${gateway.url}\n`)
      expect(
        await run(['open'], { environment: { PATH: tools.concat('/nothing') } }),
      ).toMatchObject({
        code: 1,
        error: expect.stringContaining(gateway.url),
      })
    },
  )
})
