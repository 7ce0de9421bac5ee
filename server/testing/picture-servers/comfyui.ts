import type { ServerResponse } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import {
  servePictures,
  type PictureFault,
  type PictureServer,
  type ReceivedCall,
  type Reply,
} from './serve-pictures.ts'

/** Faults specific to this protocol: a node fails, the socket breaks, or a message is too long. */
export type ComfyFault = PictureFault | 'failed' | 'lost' | 'flood'

interface Own {
  comfyFault: ComfyFault | null
  readonly interrupted: string[]
  readonly deleted: string[]
}

export type Comfy = PictureServer & Own

type Send = (type: string, data: Record<string, unknown>) => void

/** Sends the events of a prompt: its steps, then its result. */
function work(fault: ComfyFault | null, socket: WebSocket, send: Send, id: string): void {
  send('status', { status: { exec_info: { queue_remaining: 1 } } })
  send('execution_start', { prompt_id: id })
  send('executing', { node: '3', prompt_id: id })
  socket.send(Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]))
  send('progress', { value: 5, max: 20, prompt_id: id, node: '3' })
  if (fault === 'silent') return
  if (fault === 'lost') return socket.terminate()
  if (fault === 'flood') return socket.send('x'.repeat(17 * 1024 * 1024))
  if (fault === 'failed')
    return send('execution_error', { prompt_id: id, exception_message: 'CUDA out of memory' })
  send('progress', { value: 20, max: 20, prompt_id: id, node: '3' })
  send('execution_success', { prompt_id: id })
}

function view(fault: ComfyFault | null, server: PictureServer, response: ServerResponse): void {
  if (fault === 'page')
    return void response.setHeader('Content-Type', 'text/html').end('<p>Not found</p>')
  response.setHeader('Content-Type', 'image/png').end(server.picture)
}

/** Starts the work of a prompt, whose events are sent over the client's socket. */
function submit(
  own: Own,
  sockets: ReadonlyMap<string, WebSocket>,
  call: ReceivedCall,
  reply: Reply,
): void {
  const body = call.json() as { prompt: object; client_id: string; prompt_id: string }
  if (Object.keys(body.prompt).length === 0)
    return void reply.response
      .writeHead(400)
      .end(JSON.stringify({ error: { message: 'no prompt' } }))
  reply.json({ prompt_id: body.prompt_id, number: 1, node_errors: {} })
  const socket = sockets.get(body.client_id)
  if (!socket) return
  const send: Send = (type, data) => socket.send(JSON.stringify({ type, data }))
  work(own.comfyFault, socket, send, body.prompt_id)
}

const historyOf = (id: string) => ({
  [id]: {
    prompt: [1, id, { 6: { inputs: { text: 'x'.repeat(6000) } } }],
    outputs: {
      9: {
        images: [
          { filename: 'preview.png', subfolder: '', type: 'temp' },
          { filename: 'chat_1.png', subfolder: 'a b', type: 'output' },
        ],
      },
    },
    status: {},
  },
})

const CHECKPOINTS = {
  CheckpointLoaderSimple: {
    input: { required: { ckpt_name: [['one.safetensors', 'two.safetensors'], {}] } },
  },
}

function answer(
  own: Own,
  sockets: ReadonlyMap<string, WebSocket>,
  call: ReceivedCall,
  reply: Reply,
): void {
  const path = call.path.split('?')[0]!
  const { response } = reply
  if (path.startsWith('/history/')) return reply.json(historyOf(path.slice('/history/'.length)))
  switch (`${call.method} ${path}`) {
    case 'POST /prompt':
      return submit(own, sockets, call, reply)
    case 'GET /view':
      return view(own.comfyFault, reply.server, response)
    case 'POST /upload/image':
      return reply.json({ name: 'uploaded.png', subfolder: 'in', type: 'input' })
    case 'GET /queue':
      return reply.json({ queue_running: [], queue_pending: [] })
    case 'POST /queue':
      own.deleted.push(...(call.json()['delete'] as string[]))
      return void response.end()
    case 'POST /interrupt':
      own.interrupted.push(String(call.json()['prompt_id']))
      return void response.end()
    case 'GET /object_info/CheckpointLoaderSimple':
      return reply.json(CHECKPOINTS)
    default:
      return void response.writeHead(404).end()
  }
}

/** ComfyUI: its WebSocket, prompt, history, view, upload, queue, interrupt and object_info. */
export async function startComfy(): Promise<Comfy> {
  const own: Own = { comfyFault: null, interrupted: [], deleted: [] }
  const sockets = new Map<string, WebSocket>()
  const ws = new WebSocketServer({ noServer: true })
  const server = await servePictures(
    (call, reply) => answer(own, sockets, call, reply),
    (http) =>
      http.on('upgrade', (request, socket, head) => {
        ws.handleUpgrade(request, socket, head, (opened) => {
          sockets.set(
            new URL(request.url ?? '', 'http://x').searchParams.get('clientId') ?? '',
            opened,
          )
          opened.send(JSON.stringify({ type: 'status', data: { sid: 'x' } }))
        })
      }),
  )
  const { close } = server
  server.close = () => {
    for (const socket of sockets.values()) socket.terminate()
    return close()
  }
  return Object.defineProperties(server, {
    comfyFault: {
      get: () => own.comfyFault,
      set(fault: ComfyFault | null) {
        own.comfyFault = fault
      },
    },
    interrupted: { value: own.interrupted },
    deleted: { value: own.deleted },
  }) as Comfy
}
