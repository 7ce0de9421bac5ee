import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { isOnPostgres } from '../../testing/create-test-storage.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const CHATS = 1000
const MESSAGES = 4
/** A chat too long to be read with others. */
const LONG = 700
/** A message that alone exceeds a page. */
const LARGE = 'large '.repeat(300_000)

let server: TestServer
let token: string

const run = (statement: string, ...values: string[]) =>
  server.context.storage.prepare(statement).run(...values)

/** Selects a row for each number `n`. */
const numbers = (count: number, columns: string): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select ${columns} from numbers`

beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
  const { id } = (await server.context.users.findByEmail('ada@example.com'))!
  await run(
    `insert into chat (id, user_id, title, current_id, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ${numbers(
      CHATS,
      `'chat-' || n, ?, 'Chat ' || n, 'message-1', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 1, n`,
    )}`,
    id,
  )
  const into = 'insert into message (chat_id, id, parent_id, role, content, timestamp, extra)'
  for (let message = 1; message <= MESSAGES; message += 1)
    await run(
      `${into} ${numbers(
        CHATS,
        `'chat-' || n, 'message-${message}', null, 'user', 'text ${message} of ' || n, 1, '{}'`,
      )}`,
    )
  await run(
    `${into} ${numbers(LONG, `'chat-500', 'long-' || n, null, 'user', 'part ' || n, 1, '{}'`)}`,
  )
  await run(`${into} values ('chat-7', 'large', null, 'user', ?, 1, '{}')`, LARGE)
  await run(
    `insert into expected_child (chat_id, child_id, parent_id) ${numbers(
      600,
      `'chat-9', 'child-' || n, 'message-1'`,
    )}`,
  )
}, 120_000)
afterAll(() => server.close())

async function exportBy(path: string): Promise<{ chats: Chat[]; statements: number }> {
  let chats: Chat[] = []
  const statements = await countStatements(server.context.storage, async () => {
    const reply = await server.call('GET', path, { token })
    const body = (await reply.json()) as Chat[] | { chats: Chat[] }
    chats = Array.isArray(body) ? body : body.chats
  })
  return { chats, statements }
}

it.each(['/api/v1/chats/export', '/api/v1/chats/all', '/api/v1/chats/all/db'])(
  'reads %s in statements for pages, not for chats',
  async (path) => {
    const { chats, statements } = await exportBy(path)
    expect(chats.map(({ id }) => id)).toEqual(
      Array.from({ length: CHATS }, (_, index) => `chat-${CHATS - index}`),
    )
    for (const chat of chats) {
      const count = { 'chat-500': MESSAGES + LONG, 'chat-7': MESSAGES + 1 }[chat.id] ?? MESSAGES
      const messages = Object.values(chat.chat.history.messages)
      expect(messages).toHaveLength(count)
      expect(messages[1]!.content).toBe(`text 2 of ${chat.id.slice(5)}`)
    }
    const byId = new Map(chats.map((chat) => [chat.id, chat.chat.history.messages]))
    expect(byId.get('chat-7')!['large']!.content).toBe(LARGE)
    expect(byId.get('chat-500')![`long-${LONG}`]!.content).toBe(`part ${LONG}`)
    expect(byId.get('chat-9')!['message-1']!.childrenIds).toHaveLength(600)
    // The database file is read in this process, where a statement costs little and has to be short.
    expect(statements).toBeLessThan(isOnPostgres ? CHATS / 5 : CHATS * 5)
  },
  120_000,
)
