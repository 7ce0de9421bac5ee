import type { Socket } from 'socket.io'
import { expect, test, vi, onTestFinished } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { Client } from './client.ts'
import { SocketIoSockets } from './sockets.ts'

const texts = { textOf: async () => '', titleOf: async () => '' }

test('a client whose sign-in has run out is disconnected although nobody ended it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const disconnect = vi.fn()
  const client = new Client({ id: 'one', disconnect } as unknown as Socket)
  let isValid = true
  client.signIn({ caller: {} as never, isValid: async () => isValid })
  const sockets = new SocketIoSockets({
    texts,
    recordOf: async () => null,
    log: createLogger('silent'),
  })
  onTestFinished(() => sockets.close())
  sockets.add('ada', client)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(disconnect).not.toHaveBeenCalled()
  isValid = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(disconnect).toHaveBeenCalledWith(true)
})

test('a question follows the events that were sent before it', async () => {
  const types: string[] = []
  const note = (_event: string, payload: unknown) =>
    void types.push((payload as { data: { type: string } }).data.type)
  const client = new Client({ id: 'one' } as Socket)
  vi.spyOn(client, 'send').mockImplementation(note)
  vi.spyOn(client, 'ask').mockImplementation(async (event, payload) => note(event, payload))
  const sockets = new SocketIoSockets({
    texts,
    recordOf: async () => null,
    log: createLogger('silent'),
  })
  sockets.add('ada', client)
  onTestFinished(() => sockets.remove('ada', client))
  const place = { chat_id: 'a', message_id: 'b' }
  sockets.emit('ada', { ...place, data: { type: 'message', data: { content: 'One.' } } })
  sockets.emit('ada', { ...place, data: { type: 'message', data: { content: 'Two.' } } })
  const question = { ...place, data: { type: 'input' as const, data: {} } }
  await sockets.call('one', 'ada', question, { timeoutMs: 1000 })
  expect(types).toEqual(['message', 'message', 'input'])
})
