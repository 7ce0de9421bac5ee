import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startConversation, type Conversation } from '../../server/testing/start-conversation.ts'

/** A Python with the packages of `python/requirements.txt`; the test command creates one. */
const python = process.env['SDK_PYTHON']
const WAIT = 60_000
const EVERYBODY = { principal_type: 'user', principal_id: '*', permission: 'read' }

type Step = { readonly step: string } & Readonly<Record<string, unknown>>

/** A script written for the reference system, run as a process and driven line by line. */
class Program {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor(input: object) {
    this.#child = spawn(python!, [path.join(import.meta.dirname, 'python/socket_io.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
    this.send(JSON.stringify(input))
  }

  send(line: string): void {
    this.#child.stdin!.write(`${line}\n`)
  }

  async step(name: string): Promise<Step> {
    const { value, done } = await this.#lines.next()
    const said = done ? { step: 'end' } : (JSON.parse(value) as Step)
    if (said.step !== name) throw new Error(`It said ${JSON.stringify(said)} instead of ${name}`)
    return said
  }

  /** Lets the process end; returns its last step and exit code. */
  async finish(): Promise<{ last: Step; code: number | null }> {
    this.#child.stdin!.end()
    const ended = once(this.#child, 'exit')
    const last = await this.step('heard')
    const [code] = (await ended) as [number | null]
    return { last, code }
  }

  kill(): void {
    this.#child.kill()
  }
}

describe.runIf(python)('the unmodified python-socketio', () => {
  let conversation: Conversation
  let goOn: (() => void) | null = null
  beforeAll(async () => {
    conversation = await startConversation({
      environment: { ENABLE_CHANNELS: 'true' },
      upstream: {
        script: async ({ messages }) => {
          if (String(messages.at(-1)?.content).includes('wait'))
            await new Promise<void>((resolve) => (goOn = resolve))
          return {
            steps: [
              { kind: 'content', text: 'One ' },
              { kind: 'wait', milliseconds: 200 },
              { kind: 'content', text: 'two.' },
            ],
          }
        },
      },
    })
  })
  afterAll(() => conversation.close())

  test(
    'joins, hears a turn, stops one, talks in a channel, and answers what it is asked',
    async () => {
      const { server, token } = conversation
      const made = await server.call('POST', '/api/v1/channels/create', {
        token,
        body: { name: 'team', access_grants: [EVERYBODY] },
      })
      const { id: channel } = (await made.json()) as { id: string }
      const other = await conversation.addUser('Bob')
      const program = new Program({ url: server.url, token, other, channel })
      onTestFinished(() => program.kill())
      const { person } = await program.step('joined')
      expect(person).toEqual({ id: expect.any(String), name: 'Ada' })
      expect(await program.step('heartbeat')).toMatchObject({ answer: null })

      const turn = await program.step('turn')
      expect(turn).toMatchObject({
        reply: { status: true, task_ids: [expect.any(String)] },
        texts: ['One ', 'One two.', 'One two.'],
      })
      const types = turn['types'] as string[]
      expect([types[0], types[1], types.at(-1)]).toEqual([
        'chat:active',
        'chat:completion',
        'chat:active',
      ])

      await program.step('waiting')
      await expect.poll(() => goOn).not.toBeNull()
      program.send('stop')
      expect(await program.step('stopped')).toMatchObject({
        status: true,
        types: ['chat:active', 'chat:tasks:cancel', 'chat:active'],
      })
      goOn!()

      expect(await program.step('channel')).toMatchObject({
        heard: ['typing', 'message'],
        chats: [],
      })
      expect(await program.step('stranger')).toMatchObject({ answer: null, joined: null })

      const { sid } = (await program.step('ready')) as unknown as { sid: string }
      const userId = (person as { id: string }).id
      const call = (type: 'input' | 'confirmation' | 'execute') =>
        server.context.events.call(
          sid,
          userId,
          { chat_id: 'a', message_id: 'b', data: { type, data: {} } },
          { timeoutMs: 10_000 },
        )
      expect(await call('input')).toBe('yes')
      expect(await call('confirmation')).toBe(false)
      expect(await call('execute')).toEqual({ rows: [1, 2] })
      const { last, code } = await program.finish()
      expect(last['by_stranger']).toEqual([])
      expect(code).toBe(0)
    },
    WAIT,
  )
})
