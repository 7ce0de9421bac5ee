// Stands for the packed gateway: a utility process that may not start processes and runs models in
// one of the app.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { Blobs } from '../../../server/engine/downloads/blobs.ts'
import { EngineHost } from '../../../server/engine/engine-host.ts'
import { EngineTarget } from '../../../server/engine/engine-target.ts'
import { ModelLibrary } from '../../../server/engine/library/model-library.ts'

export interface EngineOrder {
  readonly type: 'ask'
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** True to disconnect when the first bytes of the answer have arrived. */
  readonly leavesEarly?: boolean
}

export interface EngineAnswer {
  readonly type: 'answered'
  readonly id: string
  /** Null if no reply arrived. */
  readonly status: number | null
  readonly text: string
}

interface AppPort {
  postMessage(message: EngineAnswer): void
  on(event: 'message', listener: (event: { data: EngineOrder | { type: string } }) => void): void
}

const { parentPort } = process as unknown as { parentPort: AppPort }
const host = new EngineHost(pino({ level: 'silent' }))
const target = new EngineTarget({
  host,
  library: new ModelLibrary(process.argv.at(-1)!, () => Promise.resolve([])),
  version: 'test',
  pull: async function* () {},
  blobs: new Blobs(path.join(tmpdir(), 'chat-gateway-engine-blobs')),
  requireOn: () => undefined,
})

async function ask(order: EngineOrder): Promise<Pick<EngineAnswer, 'status' | 'text'>> {
  const leaving = new AbortController()
  const body = order.body ? Buffer.from(JSON.stringify(order.body)) : null
  const limits = { firstByteMilliseconds: 30_000, idleMilliseconds: 30_000 }
  const headers = {
    'content-type': 'application/json',
    ...(body && { 'content-length': String(body.length) }),
  }
  const { method, path } = order
  let text = ''
  let status: number | null = null
  try {
    const reply = await target.open({ method, path, headers, body, ...limits }, leaving.signal)
    status = reply.status
    for await (const part of reply.chunks()) {
      text += part.toString()
      if (order.leavesEarly) return { status, text }
    }
    return { status, text }
  } catch (error) {
    return { status, text: `${text}${String(error)}` }
  }
}

parentPort.on('message', ({ data }) => {
  if (data.type !== 'ask') return
  const order = data as EngineOrder
  void ask(order).then((answer) =>
    parentPort.postMessage({ type: 'answered', id: order.id, ...answer }),
  )
})
