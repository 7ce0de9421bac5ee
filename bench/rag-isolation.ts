import { BUILT_IN_ENGINE_ID } from '../server/retrieval/embedding/built-in/index.ts'
import { DIMENSIONS } from '../server/retrieval/embedding/built-in/messages.ts'
import { openStorage } from '../server/storage/index.ts'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import type { PacedAnswer } from './support/driver.ts'
import { COLLECTION, fillIndex } from './support/fill-index.ts'
import { createProse } from './support/rag-index.ts'
import { startRelayField, type RelayField } from './support/relay-field.ts'

const CHUNKS = 1_000_000
const ROUNDS = 5
const STREAMS = 200
const FRAMES = 60

function streamAll(field: RelayField): Promise<PacedAnswer> {
  const body = {
    model: `bench-pace-20-${FRAMES}`,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  }
  const target = field.target('gateway', body)
  return field.driver.ask<PacedAnswer>({
    kind: 'paced',
    target,
    streams: STREAMS,
    rampMilliseconds: 500,
    framesPerStream: FRAMES,
  })
}

/** Sends queries of one user in a loop, each with a different text. */
async function query(
  field: RelayField,
  nextText: () => string,
  isOver: () => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const begun = performance.now()
    await field.gateway.call('POST', '/api/v1/retrieval/query/collection', {
      collection_names: [COLLECTION],
      query: nextText(),
      k: 5,
    })
    times.push(performance.now() - begun)
  }
  return times
}

/** Adds the prefilled documents to the collection of the one that was sent through the gateway. */
function joinCollection(file: string): void {
  const storage = openStorage({ path: file })
  const own =
    "select collection from retrieval_member where document_id not in (select id from retrieval_document where id glob 'd[0-9]*')"
  storage.sqlite.exec(
    `insert into retrieval_member select (${own}), id from retrieval_document where id glob 'd[0-9]*'`,
  )
  storage.close()
}

export async function run(): Promise<BenchResult> {
  let file = ''
  const field = await startRelayField({
    gateway: {
      async prepare(database) {
        file = database
        const storage = await fillIndex(database, CHUNKS, BUILT_IN_ENGINE_ID, DIMENSIONS)
        storage.close()
      },
    },
  })
  try {
    const own = { name: 'first', content: 'Some words to begin with.', collection_name: COLLECTION }
    await field.gateway.call('POST', '/api/v1/retrieval/process/text', own)
    joinCollection(file)
    const prose = createProse(31)
    await query(
      field,
      () => prose(6),
      (
        (count) => () =>
          count-- === 0
      )(1),
    )
    const quiet: number[] = []
    const busy: number[] = []
    const asked: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push((await streamAll(field)).p99)
      let isOver = false
      const asking = query(
        field,
        () => prose(6),
        () => isOver,
      )
      busy.push((await streamAll(field)).p99)
      isOver = true
      asked.push(...(await asking))
    }
    const added = median(busy.map((value, round) => value - quiet[round]!))
    return {
      goal: 'P11',
      rows: [
        {
          name: `added p99 of ${STREAMS} streams while one user queries 1M passages`,
          value: added,
          unit: 'ms',
          hold: '<= 50',
          moonshot: '<= 10',
          reached: judgeAtMost(added, { hold: 50, moonshot: 10 }),
        },
        { name: 'a query meanwhile', value: median(asked), unit: 'ms', reached: 'shown' },
      ],
      notes: [
        `p99 without queries ${median(quiet).toFixed(1)} ms, with ${median(busy).toFixed(1)} ms; ${asked.length} queries`,
      ],
    }
  } finally {
    await field.stop()
  }
}
