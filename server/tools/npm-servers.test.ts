import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToolServer, ToolServerState } from '#contract/tool-servers.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import type { Script, Step } from '../testing/fake-upstream/script.ts'
import { callJson } from '../testing/read-reply.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const require = createRequire(import.meta.url)
const programOf = (name: string): string =>
  path.join(
    path.dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)),
    'dist/index.js',
  )

let rounds: readonly Step[] = []
const script: Script = async ({ messages }) => ({
  steps: [
    rounds[messages.filter((message) => 'tool_calls' in message).length] ?? {
      kind: 'content',
      text: 'Done.',
    },
  ],
})
const callTool = (name: string, args: Record<string, unknown>): Step => ({
  kind: 'tool',
  name,
  arguments: args,
})

let conversation: Conversation
beforeAll(
  async () => (conversation = await startConversation({ upstream: { models: ['text'], script } })),
)
afterAll(() => conversation.close())
const call = (...asked: [string, string, unknown?]) =>
  callJson(conversation.server, conversation.token, asked)

test(
  'the usual JSON of published servers is pasted, saved, used by a model and logged',
  { timeout: 60_000 },
  async () => {
    const folder = createTemporaryFolder()
    writeFileSync(path.join(folder, 'note.txt'), 'Buy milk')
    const memory = path.join(folder, 'memory.jsonl')
    const mcpServers = {
      filesystem: { command: process.execPath, args: [programOf('server-filesystem'), folder] },
      Memory: {
        command: process.execPath,
        args: [programOf('server-memory')],
        env: { MEMORY_FILE_PATH: memory },
      },
      everything: { command: process.execPath, args: [programOf('server-everything')] },
    }
    const read = await call('POST', '/api/v1/tool_servers/import', { mcpServers })
    const { connections, problems } = read.body as { connections: ToolServer[]; problems: string[] }
    expect(problems).toEqual([])
    expect(
      (await call('POST', '/api/v1/configs/tool_servers', { TOOL_SERVER_CONNECTIONS: connections }))
        .status,
    ).toBe(200)
    const states = (await call('GET', '/api/v1/tool_servers?refresh=true'))
      .body as ToolServerState[]
    expect(states.map(({ id, status, detail }) => ({ id, status, detail }))).toEqual(
      ['filesystem', 'memory', 'everything'].map((id) => ({ id, status: 'ok', detail: null })),
    )
    expect(states.every(({ tools }) => tools.length > 5)).toBe(true)

    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
    rounds = [
      callTool('filesystem_read_text_file', { path: path.join(folder, 'note.txt') }),
      callTool('memory_create_entities', { entities }),
      callTool('everything_get-sum', { a: 2, b: 40 }),
      callTool('filesystem_read_text_file', { path: '/etc/passwd' }),
    ]
    const chat = await conversation.createChat('Remember')
    const ids = ['server:mcp:filesystem', 'server:mcp:memory', 'server:mcp:everything']
    const request = {
      model: 'text',
      messages: [{ role: 'user', content: 'Remember' }],
      tool_ids: ids,
      chat_id: chat.chat_id,
      id: chat.id,
    }
    await (await conversation.complete(request)).json()
    const results = (
      conversation.upstream.requests.at(-1)!.json!['messages'] as {
        role: string
        content: string
      }[]
    )
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content)
    expect(results).toEqual([
      expect.stringContaining('Buy milk'),
      expect.stringContaining('Ada'),
      expect.stringContaining('42'),
      expect.stringContaining('Access denied'),
    ])
    expect(readFileSync(memory, 'utf8')).toContain('likes tea')
    expect(readdirSync(folder)).toContain('note.txt')
    const log = (await call('GET', '/api/v1/tool_servers/filesystem/log')).body as {
      line: string
    }[]
    expect(log.map(({ line }) => line).join('\n')).toMatch(/filesystem/i)
  },
)
