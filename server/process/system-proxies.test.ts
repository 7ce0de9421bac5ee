import { expect, it } from 'vitest'
import type { MessageToMain } from './desktop-channel.ts'
import { SystemProxies } from './system-proxies.ts'

it('the proxies of the system come as they were asked for, whoever is answered first', async () => {
  const sent: MessageToMain[] = []
  const proxies = new SystemProxies({ send: (message) => void sent.push(message) })
  const [first, second, third] = ['a', 'b', 'c'].map((name) =>
    proxies.ask(`https://${name}.example`),
  )
  expect(sent).toEqual([
    { type: 'find-proxies', id: 1, origin: 'https://a.example' },
    { type: 'find-proxies', id: 2, origin: 'https://b.example' },
    { type: 'find-proxies', id: 3, origin: 'https://c.example' },
  ])
  proxies.take({ type: 'proxies', id: 2, route: 'DIRECT' })
  proxies.take({ type: 'proxies', id: 9, route: 'PROXY of-nobody:1' })
  proxies.take({ type: 'proxies', id: 1, route: 'PROXY a:3128' })
  proxies.take({ type: 'proxies', id: 3, route: null })
  expect(await first).toBe('PROXY a:3128')
  expect(await second).toBe('DIRECT')
  await expect(third).rejects.toMatchObject({ code: 'PROXY_UNREACHABLE' })
})
