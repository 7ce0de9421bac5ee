import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, median, type BenchResult, type BenchRow } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { DRIVER_CORE, PROXY_CORE, startScript } from './support/spawned.ts'

export const goals = ['P32']

const MEGABYTES = 5
/** Largest accepted pictures in MB: from engines, and from one event of a stream. */
const LARGEST = { made: 30, streamed: 8 }
const ROUNDS = 7
const CALLS = 6
const RATIO = { hold: 1.3, moonshot: 1 }
const SETTLING_MILLISECONDS = 8000
const LONGEST_BLOCK = { hold: 50, moonshot: 0 }

type Ask = () => Promise<unknown>

const messages = [{ role: 'user', content: 'Draw a lighthouse' }]
const CHAT = { model: 'bench-picture', messages }

/** Sends a request and reads the reply to its end, in any form. */
const poster = (base: string, key: string) => async (path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.arrayBuffer()
}

async function timed(ask: Ask): Promise<number> {
  const begun = performance.now()
  for (let call = 0; call < CALLS; call += 1) await ask()
  return (performance.now() - begun) / CALLS
}

/**
 * Returns the median of the rounds' ratios; requests alternate, so that other load on the machine
 * affects both.
 */
async function compare(
  name: string,
  gateway: Ask,
  proxy: Ask,
): Promise<{ name: string; ratio: number; note: string }> {
  for (const ask of [gateway, proxy]) await timed(ask)
  const rounds: { gateway: number; proxy: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ proxy: await timed(proxy), gateway: await timed(gateway) })
  const ratio = median(rounds.map((each) => each.gateway / each.proxy))
  const [own, bare] = [
    median(rounds.map((each) => each.gateway)),
    median(rounds.map((each) => each.proxy)),
  ]
  return { name, ratio, note: `${name}: ${own.toFixed(1)} ms, bare proxy ${bare.toFixed(1)} ms` }
}

const setUp = (gateway: BenchGateway, port: number) =>
  gateway.call('POST', '/api/v1/settings', {
    values: {
      ENABLE_IMAGE_GENERATION: true,
      IMAGE_MAX_SIZE: 64,
      IMAGES_OPENAI_API_BASE_URL: `http://127.0.0.1:${port}/v1`,
      IMAGES_OPENAI_API_KEY: 'bench-key',
    },
  })

/** Creates a picture and fetches it, as a page does. */
async function makeAndRead(
  base: string,
  token: string,
  post: ReturnType<typeof poster>,
): Promise<unknown> {
  const made = await post('/api/v1/images/generations', { prompt: 'A lighthouse' })
  const [{ url }] = JSON.parse(Buffer.from(made).toString('utf8')) as [{ url: string }]
  const response = await fetch(base + url, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return response.arrayBuffer()
}

async function measureRatios(): Promise<{ rows: BenchRow[]; notes: string[] }> {
  const upstream = await startScript('picture-upstream.ts', DRIVER_CORE, [String(MEGABYTES)])
  const proxy = await startScript('raw-proxy.ts', PROXY_CORE, [String(upstream.ready.port)])
  const floor = await startScript('picture-floor.ts', PROXY_CORE, [String(upstream.ready.port)])
  const gateway = await startGateway(upstream.ready.port, PROXY_CORE)
  try {
    await setUp(gateway, upstream.ready.port)
    const own = poster(`http://127.0.0.1:${gateway.port}`, gateway.token)
    const bare = poster(`http://127.0.0.1:${proxy.ready.port}`, 'bench-key')
    const bareStore = `http://127.0.0.1:${floor.ready.port}`
    const found = [
      await compare(
        'picture in a whole answer',
        () => own('/api/chat/completions', CHAT),
        () => bare('/v1/chat/completions', CHAT),
      ),
      await compare(
        'picture in a stream',
        () => own('/api/chat/completions', { ...CHAT, stream: true }),
        () => bare('/v1/chat/completions', { ...CHAT, stream: true }),
      ),
      await compare(
        'picture made, stored and read back',
        () => makeAndRead(`http://127.0.0.1:${gateway.port}`, gateway.token, own),
        () => bare('/v1/images/generations', { prompt: 'A lighthouse' }),
      ),
      await compare(
        'picture decoded, written and read back by a script that does nothing else',
        () => makeAndRead(bareStore, 'bench-key', poster(bareStore, 'bench-key')),
        () => bare('/v1/images/generations', { prompt: 'A lighthouse' }),
      ),
    ]
    const rows = found.map(({ name, ratio }, index): BenchRow => {
      // The last two do what no proxy does: they decode the picture and store it in a file before
      // they reply.
      const isJudged = index < found.length - 2
      return {
        name: `${name} vs bare proxy`,
        value: ratio,
        unit: 'x',
        hold: '<= 1.3',
        reached: isJudged ? judgeAtMost(ratio, RATIO) : 'shown',
      }
    })
    return { rows, notes: found.map(({ note }) => note) }
  } finally {
    await Promise.all([gateway.stop(), proxy.stop(), floor.stop(), upstream.stop()])
  }
}

/**
 * Measures the longest turn of the loop while pictures of the largest size are created, or arrive
 * within answers of a chat.
 */
async function measureTurns(kind: keyof typeof LARGEST): Promise<BenchRow> {
  const upstream = await startScript('picture-upstream.ts', DRIVER_CORE, [String(LARGEST[kind])])
  const gateway = await startGateway(upstream.ready.port, PROXY_CORE, { watchesLoop: true })
  try {
    await setUp(gateway, upstream.ready.port)
    const own = poster(`http://127.0.0.1:${gateway.port}`, gateway.token)
    const ask: Ask =
      kind === 'made'
        ? () => own('/api/v1/images/generations', { prompt: 'A lighthouse' })
        : () => own('/api/chat/completions', { ...CHAT, stream: true, parent_id: null })
    await ask()
    // Work the gateway does once after its start is not measured.
    await sleep(SETTLING_MILLISECONDS)
    await gateway.readLoop()
    for (let call = 0; call < 3; call += 1) await ask()
    const { processor } = await gateway.readLoop()
    const { total } = await gateway.call<{ total: number }>('GET', '/api/v1/images/gallery')
    // Refused pictures would make the measurement meaningless.
    const reached = total === 4 ? judgeAtMost(processor, LONGEST_BLOCK) : 'missed'
    return {
      name: `longest turn with ${LARGEST[kind]} MB ${kind}`,
      value: processor,
      unit: 'ms',
      hold: '<= 50',
      reached,
    }
  } finally {
    await Promise.all([gateway.stop(), upstream.stop()])
  }
}

/**
 * P32: measures the overhead of the gateway for a picture of 5 MB, and checks that large ones delay
 * no other call.
 */
export async function run(): Promise<BenchResult> {
  const { rows, notes } = await measureRatios()
  return {
    goal: 'P32',
    rows: [...rows, await measureTurns('made'), await measureTurns('streamed')],
    notes,
  }
}
