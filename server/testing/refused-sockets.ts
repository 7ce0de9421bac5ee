import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

const toSocketUrl = (url: string): string => `${url.replace('http', 'ws')}/ws`

/** Opens sockets one after the other; returns the reason for which the last one was closed. */
export async function openSockets(
  url: string,
  count: number,
  headers: Record<string, string>,
): Promise<string> {
  for (let opened = 1; ; opened += 1) {
    const socket = new WebSocket(toSocketUrl(url), { headers })
    socket.on('error', () => undefined)
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    const ready = once(socket, 'Authorization' in headers ? 'message' : 'open')
    if (opened === count) return closed.then(([code, reason]) => `${code} ${String(reason)}`)
    await ready
  }
}

/** Sends frames over an open socket; returns the reason for which it was closed. */
export async function sendFrames(
  url: string,
  headers: Record<string, string>,
  ...frames: readonly string[]
): Promise<string> {
  const socket = new WebSocket(toSocketUrl(url), { headers })
  await once(socket, 'message')
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  for (const frame of frames) socket.send(frame)
  const [code, reason] = await closed
  return `${code} ${String(reason)}`
}
