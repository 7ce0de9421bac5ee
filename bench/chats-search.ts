import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judgeAtLeast, judgeAtMost, median, percentile, type BenchResult } from './bench-result.ts'
import { fillChats, wordOfChat, wordOfRank } from './support/fill-chats.ts'
import { openChats } from './support/open-chats.ts'

const CHATS = 100_000
const MESSAGES_PER_CHAT = 10
const ROUNDS = 40
/** A scan of a million messages is slow; a few suffice for its median. */
const LIKE_ROUNDS = 5

/**
 * Search input as users type it, one text per round: a trailing space ends a word, without it the
 * last word is a prefix.
 */
const KINDS: Record<string, (round: number) => string> = {
  'frequent word': (round) => `${wordOfRank(round)} `,
  'rare word': (round) => `${wordOfChat(round * 2_111)} `,
  'two frequent words': (round) => `${wordOfRank(round)} ${wordOfRank(round + 7)} `,
  'frequent and rare word': (round) => `${wordOfRank(round)} ${wordOfChat(round * 1_777)} `,
  'two-letter beginning': (round) => wordOfRank(round).slice(0, 2),
  'longer beginning': (round) => wordOfRank(round + 400).slice(0, 4),
  'beginning of 100,000 words': (round) => `case${round % 10}`.slice(0, 4 + (round % 2)),
  phrase: (round) => `"${wordOfRank(round)} ${wordOfRank(round + 3)}"`,
  'frequent tag': () => 'tag:work',
  'rare tag': () => 'tag:rare',
  'without tags': () => 'tag:none',
  'rare tag and frequent word': (round) => `tag:rare ${wordOfRank(round)} `,
  'frequent tag and word': (round) => `tag:work ${wordOfRank(round)} `,
  'folder by name': () => 'folder:"some folder"',
  'folder and frequent word': (round) => `folder:some_folder ${wordOfRank(round)} `,
  pinned: () => 'pinned:true',
  'pinned and frequent word': (round) => `pinned:true ${wordOfRank(round)} `,
  archived: () => 'archived:true',
  shared: () => 'shared:true',
  'model of few chats': () => 'model:other-model',
  'model of no chat': () => 'model:nothing',
  'between days': (round) => `after:2020-09-14 before:2020-10-01 ${wordOfRank(round)} `,
  'no match': (round) => `qqq${round} `,
}

const LIKE =
  'select m.chat_id, m.id from message m join chat c on c.id = m.chat_id where c.user_id = ? and m.content like ? order by m.seq desc limit 60'

async function measure(folder: string) {
  const file = path.join(folder, 'search.db')
  const { userId } = await fillChats(file, {
    chats: CHATS,
    messagesPerChat: MESSAGES_PER_CHAT,
    isOrganised: true,
  })
  const { storage, chats } = await openChats(file)
  const like = storage.sqlite.prepare<[string, string]>(LIKE)
  const time = async (work: () => unknown): Promise<number> => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  }
  const searches = new Map(Object.keys(KINDS).map((kind) => [kind, [] as number[]]))
  const lists: number[] = []
  const likes: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    lists.push(await time(() => chats.list(userId, { page: 1, includePinned: true })))
    for (const [kind, textOf] of Object.entries(KINDS))
      searches.get(kind)!.push(await time(() => chats.search(userId, { text: textOf(round) })))
    if (round < LIKE_ROUNDS)
      likes.push(await time(() => like.all(userId, `%${wordOfChat(round * 2_111)}%`)))
  }
  storage.close()
  return { lists, likes, searches }
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-search-'))
  try {
    const { lists, likes, searches } = await measure(folder)
    const list = median(lists)
    const slowest = percentile([...searches.values()].flat(), 0.99)
    const gain = median(likes) / median(searches.get('rare word')!)
    const kinds = [...searches].map(
      ([kind, times]) =>
        `${kind} ${median(times).toFixed(2)} / ${percentile(times, 0.99).toFixed(1)}`,
    )
    return {
      goal: 'P16',
      rows: [
        {
          name: 'newest 60 of 100,000 chats',
          value: list,
          unit: 'ms',
          hold: '<= 5',
          reached: judgeAtMost(list, { hold: 5, moonshot: 5 }),
        },
        {
          name: 'search in 1,000,000 messages, p99 of all kinds',
          value: slowest,
          unit: 'ms',
          hold: '<= 50',
          reached: judgeAtMost(slowest, { hold: 50, moonshot: 50 }),
        },
        {
          name: 'rare word vs LIKE',
          value: gain,
          unit: 'x faster',
          moonshot: '>= 100',
          reached: judgeAtLeast(gain, { hold: 1, moonshot: 100 }),
        },
      ],
      notes: [
        `p50 / p99 ms: ${kinds.join(', ')}; LIKE ${median(likes).toFixed(0)}`,
        'Hits come newest first; bm25 is never computed.',
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
