import { once } from 'node:events'
import { WebSocket } from 'ws'
import { judgeAtMost, type BenchResult } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { DRIVER_CORE, PROXY_CORE, startScript } from './support/spawned.ts'

const LENGTHS = [2000, 4000] as const
const TOKENS_PER_SECOND = 200

export const goals = ['P10']

interface Frame {
  readonly session_id?: string
  readonly chat_id?: string | null
  readonly data?: { readonly type: string; readonly data: { readonly content?: string } }
}

interface Reply {
  bytes: number
  text: string
}

/** Returns the bytes of a frame on the wire: its header and its payload. */
const frameBytes = (payload: Buffer): number =>
  payload.length + (payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10)

/**
 * Makes the gateway write both answers at once and counts the bytes that one window receives for
 * each.
 */
async function measure(gateway: BenchGateway): Promise<Reply[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/ws`, {
    headers: { Authorization: `Bearer ${gateway.token}` },
  })
  const [first] = (await once(socket, 'message')) as [Buffer]
  const { session_id: sessionId } = JSON.parse(first.toString()) as Frame
  const replies = new Map<string, Reply>()
  const finished = new Promise<void>((resolve) => {
    let done = 0
    socket.on('message', (payload: Buffer) => {
      const { chat_id: chatId, data } = JSON.parse(payload.toString()) as Frame
      if (!chatId) return
      const reply = replies.get(chatId) ?? { bytes: 0, text: '' }
      replies.set(chatId, reply)
      reply.bytes += frameBytes(payload)
      if (data?.type !== 'chat:completion') return
      reply.text = data.data.content ?? ''
      done += 1
      if (done === LENGTHS.length) setTimeout(resolve, 500)
    })
  })
  const started = LENGTHS.map((length) =>
    gateway.call<{ chat_id: string }>('POST', '/api/chat/completions', {
      model: `bench-pace-${TOKENS_PER_SECOND}-${length}`,
      messages: [{ role: 'user', content: 'Hello' }],
      parent_id: null,
      session_id: sessionId,
    }),
  )
  const chats = await Promise.all(started)
  await finished
  socket.close()
  return chats.map(({ chat_id: chatId }) => replies.get(chatId)!)
}

export async function run(): Promise<BenchResult[]> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE)
  try {
    const [short, long] = (await measure(gateway)) as [Reply, Reply]
    const growth = long.bytes / short.bytes
    const share = Math.max(
      short.bytes / Buffer.byteLength(short.text),
      long.bytes / Buffer.byteLength(long.text),
    )
    return [
      {
        goal: 'P10',
        rows: [
          {
            name: 'bytes of a reply of 4,000 tokens vs 2,000',
            value: growth,
            unit: 'x',
            hold: '<= 2.2',
            moonshot: '<= 2.05',
            reached: judgeAtMost(growth, { hold: 2.2, moonshot: 2.05 }),
          },
          {
            name: 'all bytes on the socket vs the text',
            value: share,
            unit: 'x',
            moonshot: '<= 6',
            reached: share <= 6 ? 'moonshot' : 'hold',
          },
        ],
        notes: [`${short.bytes} and ${long.bytes} bytes at ${TOKENS_PER_SECOND} tokens/s`],
      },
    ]
  } finally {
    await gateway.stop()
    await model.stop()
  }
}
