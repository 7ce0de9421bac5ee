// node bench/retrieval/run.ts [--json] [--misses] [--sizes] [--endpoint <address> --model <name>
// [--key <key>]]: measures how well retrieval finds the right passage, by engine, mode, language
// and kind of question. --misses prints what hybrid search did not find, --sizes compares passage
// sizes in long documents instead.
import { parseArgs } from 'node:util'
import type { BenchResult, BenchRow } from '../bench-result.ts'
import { KINDS, LANGUAGES, readCorpus } from './corpus.ts'
import { startLettersEndpoint } from './letters-endpoint.ts'
import { measureSize } from './measure-sizes.ts'
import {
  MODES,
  placeAnswers,
  summarise,
  type Mode,
  type Placed,
  type Quality,
} from './measure-quality.ts'

interface Group {
  readonly name: string
  readonly quality: Record<Mode, Quality>
}

interface EngineReport {
  readonly engine: string
  readonly groups: readonly Group[]
  readonly placed: Record<Mode, Placed[]>
}

const GOAL = 'P18'
const SIZES = [100, 150, 250, 320, 400, 600, 1000]
const BUDGETS = [800, 1200]

const toEnvironment = (url: string, model: string, key = ''): Record<string, string> => ({
  RAG_EMBEDDING_ENGINE: 'openai',
  RAG_OPENAI_API_BASE_URL: url,
  RAG_EMBEDDING_MODEL: model,
  RAG_OPENAI_API_KEY: key,
})

async function measureEngine(
  engine: string,
  environment: Record<string, string>,
): Promise<EngineReport> {
  const placed = await placeAnswers(readCorpus(), environment)
  const group = (name: string, belongs: (placed: Placed) => boolean): Group => ({
    name,
    quality: Object.fromEntries(
      MODES.map((mode) => [mode, summarise(placed[mode].filter(belongs))]),
    ) as Record<Mode, Quality>,
  })
  const groups = [
    group('all', () => true),
    ...KINDS.map((kind) => group(kind, ({ question }) => question.kind === kind)),
    group('fresh paraphrase', ({ question }) => question.fresh === true),
    ...LANGUAGES.map((language) =>
      group(
        language,
        ({ question }) => question.language === language && question.kind !== 'cross-language',
      ),
    ),
  ]
  return { engine, groups, placed }
}

async function measureAll(endpoint?: {
  url: string
  model: string
  key?: string
}): Promise<EngineReport[]> {
  const letters = await startLettersEndpoint()
  try {
    const reports = [
      await measureEngine('built-in', {}),
      await measureEngine('letters only', toEnvironment(letters.url, 'letters')),
    ]
    if (endpoint)
      reports.push(
        await measureEngine(
          endpoint.model,
          toEnvironment(endpoint.url, endpoint.model, endpoint.key),
        ),
      )
    return reports
  } finally {
    letters.stop()
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`.padStart(5)

function print({ engine, groups }: EngineReport): void {
  console.log(
    `\n${engine}: recall@5 and MRR\n${''.padEnd(24)}${MODES.map((mode) => mode.padEnd(14)).join('')}`,
  )
  for (const { name, quality } of groups) {
    const cells = MODES.map((mode) =>
      `${percent(quality[mode].recallAt5)}  ${quality[mode].meanReciprocalRank.toFixed(2)}`.padEnd(
        14,
      ),
    )
    console.log(`${`${name} (${quality.hybrid.questions})`.padEnd(24)}${cells.join('')}`)
  }
}

async function compareSizes(): Promise<void> {
  const corpus = readCorpus()
  for (const budget of BUDGETS) {
    console.log(`\nanswers found whole in ${budget} tokens of passages`)
    for (const size of SIZES) {
      const { found, tokens } = await measureSize(corpus, size, budget)
      console.log(
        `${`size ${size}`.padEnd(12)}${percent(found)}  (${tokens.toFixed(0)} tokens a passage)`,
      )
    }
  }
}

/** For `npm run bench`: hybrid search has to beat vectors alone and terms alone. */
export async function run(): Promise<BenchResult> {
  const reports = await measureAll()
  const rows = reports.flatMap(({ engine, groups }) => {
    const { vector, words, hybrid } = groups[0]!.quality
    const shown = (name: string, value: number): BenchRow => ({
      name: `${engine}, ${name}`,
      value,
      unit: '',
      reached: 'shown',
    })
    const beats = (name: string, value: number, others: number[]): BenchRow => {
      const best = Math.max(...others)
      return {
        ...shown(name, value),
        hold: `> ${best.toFixed(2)}`,
        reached: value > best ? 'hold' : 'missed',
      }
    }
    return [
      shown('recall@5 by vectors', vector.recallAt5),
      shown('recall@5 by words', words.recallAt5),
      beats('recall@5 of both', hybrid.recallAt5, [vector.recallAt5, words.recallAt5]),
      beats('MRR of both', hybrid.meanReciprocalRank, [
        vector.meanReciprocalRank,
        words.meanReciprocalRank,
      ]),
    ]
  })
  return {
    goal: GOAL,
    rows,
    notes: ['By language and kind of question: node bench/retrieval/run.ts'],
  }
}

interface Flags {
  readonly json?: boolean
  readonly misses?: boolean
  readonly endpoint?: string
  readonly model: string
  readonly key?: string
}

async function report({ json, misses, endpoint, model, key }: Flags): Promise<void> {
  const reports = await measureAll(endpoint ? { url: endpoint, model, key } : undefined)
  if (json) console.log(JSON.stringify(reports.map(({ engine, groups }) => ({ engine, groups }))))
  else reports.forEach(print)
  if (!misses) return
  for (const { place, question } of reports[0]!.placed.hybrid)
    if (place === null || place > 5)
      console.log(`${question.passages.join()} ${question.kind} ${place ?? '–'}: ${question.text}`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      misses: { type: 'boolean' },
      sizes: { type: 'boolean' },
      endpoint: { type: 'string' },
      model: { type: 'string', default: '' },
      key: { type: 'string' },
    },
  })
  await (values.sizes ? compareSizes() : report(values))
}
