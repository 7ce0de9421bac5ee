import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAnalytics } from '../server/analytics/index.ts'
import { openStorage } from '../server/storage/index.ts'
import { judgeAtMost, type BenchResult, type BenchRow } from './bench-result.ts'
import { fillChats } from './support/fill-chats.ts'
import { watchTurns } from './support/longest-turn.ts'

const CHATS = Number(process.env['ANALYTICS_CHATS'] ?? 80_000)
const MESSAGES_PER_CHAT = 4
const ROUNDS = 3
const LONGEST_TURN = { hold: 50, moonshot: 10 }
/** Queries of the administrators' page, over all time. */
const QUERIES: Readonly<Record<string, object>> = {
  'analytics.summary': {},
  'analytics.models': {},
  'analytics.users': { limit: 50 },
  'analytics.daily': { granularity: 'daily' },
  'analytics.tokens': {},
  'analytics.messages': { model_id: 'model', skip: 0, limit: 100 },
}

interface Figure {
  readonly name: string
  readonly milliseconds: number
  readonly longestTurn: number
}

async function measure(file: string): Promise<Figure[]> {
  const storage = openStorage({ path: file })
  const routes = createAnalytics(storage, () => [])
  const figures: Figure[] = []
  for (const [id, query] of Object.entries(QUERIES)) {
    const { handler } = routes.find(({ endpoint }) => endpoint.id === id)!
    const ask = async () => handler({ query, params: {} } as never)
    await ask()
    const endWatch = watchTurns()
    const begun = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) await ask()
    const milliseconds = (performance.now() - begun) / ROUNDS
    figures.push({ name: id, milliseconds, longestTurn: endWatch() })
  }
  storage.close()
  return figures
}

/** Measures how long the figures of many chats take, and how late the event loop runs meanwhile. */
export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-analytics-'))
  try {
    const file = path.join(folder, 'analytics.db')
    await fillChats(file, { chats: CHATS, messagesPerChat: MESSAGES_PER_CHAT })
    const figures = await measure(file)
    const longest = Math.max(...figures.map(({ longestTurn }) => longestTurn))
    const rows: BenchRow[] = figures.map(({ name, milliseconds }) => ({
      name: `${name} of ${CHATS} chats`,
      value: milliseconds,
      unit: 'ms',
      reached: 'shown',
    }))
    return {
      goal: 'P37',
      rows: [
        {
          name: 'processor time of the longest turn meanwhile',
          value: longest,
          unit: 'ms',
          ...LONGEST_TURN,
          reached: judgeAtMost(longest, LONGEST_TURN),
        },
        ...rows,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
