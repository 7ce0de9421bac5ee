import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import type { SequenceAnswer } from './support/driver.ts'
import type { Target } from './support/http-client.ts'
import { NO_PYTHON, startPluginField, type PluginField } from './support/plugin-gateway.ts'

const ROUNDS = 9
const REQUESTS = 40
/** Number of chunks in one answer of the model server, the last one included. */
const CHUNKS = 65
const MOST_MICROSECONDS = 150

export const goals = ['P21']

const NOTHING = `class Filter:
    toggle = True

    def stream(self, event):
        return event
`

const SIMPLE =
  'class Filter:\n    toggle = True\n\n    def inlet(self, body):\n        return body\n'

function target({ gateway }: PluginField, filters: readonly string[]): Target {
  const messages = [{ role: 'user', content: 'Hello' }]
  const text = JSON.stringify({
    model: 'bench-burst-64',
    stream: true,
    messages,
    ...(filters.length > 0 && { filter_ids: filters }),
  })
  const head = [
    'POST /api/chat/completions HTTP/1.1',
    `Host: 127.0.0.1:${gateway.port}`,
    `Authorization: Bearer ${gateway.key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  return { port: gateway.port, request: `${head.join('\r\n')}\r\n\r\n${text}` }
}

async function addFilter({ gateway }: PluginField, id: string, content: string): Promise<void> {
  await gateway.call('POST', '/api/v1/functions/create', { id, name: id, content })
  await gateway.call('POST', `/api/v1/functions/id/${id}/toggle/global`)
  await gateway.call('POST', `/api/v1/functions/id/${id}/toggle`)
}

/**
 * Measures the cost of a Python filter per chunk, compared with the same stream with a filter on
 * its request only.
 */
export async function run(): Promise<BenchResult> {
  const field = await startPluginField()
  if (!field) return { goal: 'P21', rows: [], notes: [NO_PYTHON] }
  try {
    await addFilter(field, 'nothing', NOTHING)
    await addFilter(field, 'simple', SIMPLE)
    const runners = {
      plain: target(field, []),
      inlet: target(field, ['simple']),
      stream: target(field, ['nothing']),
    }
    const times: Record<keyof typeof runners, number[]> = { plain: [], inlet: [], stream: [] }
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [name, aim] of Object.entries(runners) as [keyof typeof runners, Target][]) {
        const { whole } = await field.driver.ask<SequenceAnswer>({
          kind: 'sequence',
          target: aim,
          count: REQUESTS,
        })
        if (round >= 0) times[name].push(median(whole))
      }
    }
    const [plain, inlet, stream] = [median(times.plain), median(times.inlet), median(times.stream)]
    const perChunk = ((stream - plain) * 1000) / CHUNKS
    const row = {
      name: 'a filter on every chunk that does nothing, per chunk',
      value: perChunk,
      unit: 'µs',
      hold: `<= ${MOST_MICROSECONDS}`,
      reached: judgeAtMost(perChunk, { hold: MOST_MICROSECONDS, moonshot: 0 }),
    }
    const note = `a stream of ${CHUNKS} chunks at once: ${plain.toFixed(2)} ms without filters, ${stream.toFixed(2)} ms with this one; one inlet that does nothing: ${inlet.toFixed(2)} ms`
    return { goal: 'P21', rows: [row], notes: [note] }
  } finally {
    await field.stop()
  }
}
