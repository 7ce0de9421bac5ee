import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type Sqlite from 'better-sqlite3'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { fillChats } from './support/fill-chats.ts'
import { openChats } from './support/open-chats.ts'

const ROUNDS = 9
const APPENDS = 25
const SMALL = 10
const LARGE = 10_000

/**
 * Writes the same rows with bare statements: two messages and the chat, in one synced transaction.
 */
function createBareAppend(
  sqlite: Sqlite.Database,
  chatId: string,
): (name: string, parentId: string) => void {
  sqlite.exec('create table bare_message as select * from message where false')
  sqlite.exec('create unique index bare_by_id on bare_message (chat_id, id)')
  sqlite.exec('create index bare_by_parent on bare_message (chat_id, parent_id)')
  const insert = sqlite.prepare(
    "insert into bare_message (chat_id, id, parent_id, role, content, timestamp, extra) values (?, ?, ?, ?, ?, 1, '{}')",
  )
  const touch = sqlite.prepare('update chat set updated_at = ?, current_id = ? where id = ?')
  return sqlite.transaction((name: string, parentId: string) => {
    insert.run(chatId, `${name}-q`, parentId, 'user', 'What comes next in this long conversation?')
    insert.run(chatId, `${name}-a`, `${name}-q`, 'assistant', '')
    touch.run(1, `${name}-a`, chatId)
  })
}

async function measure(folder: string) {
  const file = path.join(folder, 'append.db')
  const { userId, chatIds } = await fillChats(file, {
    chats: ROUNDS * APPENDS + 2,
    messagesPerChat: SMALL,
  })
  const { storage, chats } = await openChats(file)
  const [largeId, bareId, ...smallIds] = chatIds as [string, string, ...string[]]
  const currentOf = async (chatId: string): Promise<string> =>
    (await chats.get(userId, chatId)).chat.currentId!
  const messages = Object.fromEntries(
    Array.from({ length: LARGE }, (_, index) => [
      `m${index}`,
      { role: 'user', content: `message ${index}`, parentId: index === 0 ? null : `m${index - 1}` },
    ]),
  )
  await chats.update(userId, largeId, { history: { currentId: `m${LARGE - 1}`, messages } })
  const bare = createBareAppend(storage.sqlite, bareId)

  const append = async (chatId: string, name: string, parentId: string): Promise<void> => {
    const question = {
      role: 'user',
      content: 'What comes next in this long conversation?',
      parentId,
      childrenIds: [`${name}-a`],
      models: ['model'],
    }
    const answer = {
      role: 'assistant',
      content: '',
      parentId: `${name}-q`,
      childrenIds: [],
      model: 'model',
      modelName: 'Model',
      modelIdx: 0,
    }
    await chats.update(userId, chatId, {
      history: {
        currentId: `${name}-a`,
        messages: { [`${name}-q`]: question, [`${name}-a`]: answer },
      },
    })
  }
  const time = async (work: () => void | Promise<void>): Promise<number> => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  }

  const times: Record<'bare' | 'small' | 'large', number[]> = { bare: [], small: [], large: [] }
  let last = `m${LARGE - 1}`
  for (let count = 0; count < ROUNDS * APPENDS; count += 1) {
    const name = `n${count}`
    const smallId = smallIds[count]!
    const parentId = await currentOf(smallId)
    times.bare.push(await time(() => bare(name, 'parent')))
    times.small.push(await time(() => append(smallId, name, parentId)))
    times.large.push(await time(() => append(largeId, name, last)))
    last = `${name}-a`
  }
  storage.close()
  return { bare: median(times.bare), small: median(times.small), large: median(times.large) }
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-append-'))
  try {
    const { bare, small, large } = await measure(folder)
    const ratio = large / small
    return {
      goal: 'P14',
      rows: [
        {
          name: 'append to 10,000 messages vs to 10',
          value: ratio,
          unit: 'x',
          hold: '<= 3',
          moonshot: '<= 1.5',
          reached: judgeAtMost(ratio, { hold: 3, moonshot: 1.5 }),
        },
        {
          name: 'append to 10,000 messages, commit p50',
          value: large,
          unit: 'ms',
          moonshot: '<= 1',
          reached: large <= 1 ? 'moonshot' : 'hold',
        },
        { name: 'append vs the bare statements', value: large / bare, unit: 'x', reached: 'shown' },
      ],
      notes: [
        `${ROUNDS * APPENDS} interleaved appends each, synced: bare ${bare.toFixed(2)} ms, 10 messages ${small.toFixed(2)} ms, 10,000 messages ${large.toFixed(2)} ms`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
