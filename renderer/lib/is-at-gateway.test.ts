import { expect, it } from 'vitest'
import { isAtGateway } from './is-at-gateway.ts'

it('a window is at its gateway when its address is one of this computer', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    expect(isAtGateway(host), host).toBe(true)
  for (const host of [
    '192.168.0.7',
    'chat.example.org',
    'localhost.example.org',
    '127.0.0.1.nip.io',
  ])
    expect(isAtGateway(host), host).toBe(false)
})
