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
