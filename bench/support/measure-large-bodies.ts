import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { LARGE_BODIES, longText, type Places, type Send } from './large-bodies.ts'
import {
  measureRounds,
  startMeasuredGateway,
  type LoopFigures,
  type MeasuredGateway,
} from './measured-gateway.ts'

/** Effect of one large body on the event loop. */
export interface LargeBodyFigures extends LoopFigures {
  readonly name: string
  readonly isExpected: boolean
  readonly status: number
}

/** Writes that follow the reply, such as index entries, are measured too. */
const REST_MILLISECONDS = 700
const LONGEST_CALL_MILLISECONDS = 240_000
const PIECES = 560
const PIECE = longText(10_000)

async function prepare({ url, headers }: MeasuredGateway): Promise<Places> {
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  const answer = { id: 'answer', role: 'assistant', content: '' }
  const chat = await post<{ id: string }>('/api/v1/chats/new', {
    chat: { title: 'Large', history: { messages: { answer } } },
  })
  const note = await post<{ id: string }>('/api/v1/notes/create', { title: 'Large' })
  const form = new FormData()
  form.set('file', new Blob(['words'], { type: 'text/plain' }), 'words.txt')
  const { Authorization } = headers as { Authorization: string }
  const upload = await fetch(`${url}/api/v1/files/`, {
    method: 'POST',
    headers: { Authorization },
    body: form,
  })
  const file = (await upload.json()) as { id: string }
  const knowledge = await post<{ id: string }>('/api/v1/knowledge/create', {
    name: 'Large',
    description: 'Large',
  })
  return { chatId: chat.id, noteId: note.id, fileId: file.id, knowledgeId: knowledge.id }
}

const startUpstream = () =>
  startFakeCompatible({
    models: ['short', 'long'],
    script: ({ model }) => ({
      steps: Array.from({ length: model === 'long' ? PIECES : 1 }, () => ({
        kind: 'content' as const,
        text: PIECE,
      })),
    }),
  })

/**
 * Sends each large body and measures its effect on the loop; `wanted` selects some by their names.
 */
export async function* measureLargeBodies(
  wanted: (name: string) => boolean = () => true,
): AsyncGenerator<LargeBodyFigures, void> {
  const upstream = await startUpstream()
  const gateway = await startMeasuredGateway(upstream.url)
  try {
    const places = await prepare(gateway)
    const send: Send = async (method, path, body) => {
      const signal = AbortSignal.timeout(LONGEST_CALL_MILLISECONDS)
      const request = { method, body, headers: gateway.headers, signal }
      const response = await fetch(gateway.url + path, request)
      await response.arrayBuffer()
      return response.status
    }
    for (const body of LARGE_BODIES.filter(({ name }) => wanted(name))) {
      let status = 0
      const figures = await measureRounds(
        gateway,
        async () => void (status = await body.send(send, places)),
        { restMilliseconds: REST_MILLISECONDS },
      )
      yield { name: body.name, status, isExpected: status === body.expected, ...figures }
    }
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}
