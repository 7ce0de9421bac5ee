import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type Sqlite from 'better-sqlite3'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { fillChats } from './support/fill-chats.ts'
import { openChats } from './support/open-chats.ts'

const ROUNDS = 15
const MESSAGES = 10_000
const PAGE = 50

interface BareMessage {
  readonly seq: number
  readonly id: string
  readonly parent_id: string | null
  readonly role: string
  readonly content: string
  readonly timestamp: number
  readonly extra: string
}

/**
 * The simplest way to the same replies: rows by bare statements, objects from them, one
 * JSON.stringify.
 */
function createBareReader(sqlite: Sqlite.Database, chatId: string, lastId: string) {
  const all = sqlite.prepare<[string], BareMessage>(
    'select seq, id, parent_id, role, content, timestamp, extra from message where chat_id = ? order by seq',
  )
  const one = sqlite.prepare<[string, string], BareMessage>(
    'select seq, id, parent_id, role, content, timestamp, extra from message where chat_id = ? and id = ?',
  )
  const siblings = sqlite.prepare<[string, string], { id: string }>(
    'select id from message where chat_id = ? and parent_id = ? order by seq',
  )

  const toMessage = (row: BareMessage, childrenIds: string[]) => ({
    id: row.id,
    parentId: row.parent_id,
    childrenIds,
    role: row.role,
    content: row.content,
    timestamp: row.timestamp,
    ...(JSON.parse(row.extra) as object),
  })
  return {
    whole: (): string => {
      const rows = all.all(chatId)
      const children = Map.groupBy(rows, (row) => row.parent_id)
      const messages = rows.map((row) =>
        toMessage(row, children.get(row.id)?.map((child) => child.id) ?? []),
      )
      return JSON.stringify({
        chat: {
          history: {
            messages: Object.fromEntries(messages.map((message) => [message.id, message])),
          },
          messages,
        },
      })
    },
    page: (): string => {
      const rows: BareMessage[] = []
      for (
        let id: string | null = lastId;
        id !== null && rows.length < PAGE;
        id = rows.at(-1)!.parent_id
      )
        rows.push(one.get(chatId, id)!)
      const messages = rows.map((row) => {
        const siblingIds =
          row.parent_id === null ? [] : siblings.all(chatId, row.parent_id).map(({ id }) => id)
        return { ...toMessage(row, []), siblingIds }
      })
      return JSON.stringify(messages)
    },
  }
}

async function measure(folder: string) {
  const file = path.join(folder, 'open.db')
  const { userId, chatIds } = await fillChats(file, { chats: 1, messagesPerChat: MESSAGES })
  const { storage, chats, callRoute } = await openChats(file)
  const chatId = chatIds[0]!
  const { currentId } = (await chats.get(userId, chatId)).chat
  const bare = createBareReader(storage.sqlite, chatId, currentId!)
  const works: Record<string, () => string | Promise<string>> = {
    bareWhole: bare.whole,
    whole: () => callRoute('chats.get', { userId, params: { chat_id: chatId }, query: {} }),
    barePage: bare.page,
    page: () =>
      callRoute('chats.branch', { userId, params: { chat_id: chatId }, query: { limit: PAGE } }),
  }
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  let bytes = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const begun = performance.now()
      const { length } = Buffer.from(await work(), 'utf8')
      times[name]!.push(performance.now() - begun)
      if (name === 'whole') bytes = length
    }
  }
  storage.close()
  const middle = (name: string): number => median(times[name]!)
  return {
    whole: middle('whole'),
    bareWhole: middle('bareWhole'),
    page: middle('page'),
    barePage: middle('barePage'),
    bytes,
  }
}

const judge = (value: number, limit: number, ratio: number, moonshot: number) =>
  value > limit ? 'missed' : ratio <= moonshot ? 'moonshot' : 'hold'

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-open-'))
  try {
    const { whole, bareWhole, page, barePage, bytes } = await measure(folder)
    return {
      goal: 'P15',
      rows: [
        {
          name: 'first page of 10,000 messages (last 50)',
          value: page,
          unit: 'ms',
          hold: '<= 5',
          reached: judgeAtMost(page, { hold: 5, moonshot: 5 }),
        },
        {
          name: 'first page vs bare statements',
          value: page / barePage,
          unit: 'x',
          moonshot: '<= 2',
          reached: judge(page, 5, page / barePage, 2),
        },
        {
          name: 'whole chat of 10,000 messages',
          value: whole,
          unit: 'ms',
          hold: '<= 100',
          reached: judgeAtMost(whole, { hold: 100, moonshot: 100 }),
        },
        {
          name: 'whole chat vs bare statements',
          value: whole / bareWhole,
          unit: 'x',
          moonshot: '<= 1.5',
          reached: judge(whole, 100, whole / bareWhole, 1.5),
        },
      ],
      notes: [
        `medians of ${ROUNDS} interleaved rounds; the whole reply has ${(bytes / 1e6).toFixed(1)} MB, each message twice (tree and active thread)`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
