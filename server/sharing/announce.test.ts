import createAsker from 'multicast-dns'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { Announcer } from './announce.ts'

const ANNOUNCED = { name: 'desk-of-the-test.local', addresses: ['127.0.0.1'], port: 8643 }

it('answers for the name of this computer while it is shared, and not a moment longer', async () => {
  const announcer = new Announcer(createLogger('silent'))
  const asker = createAsker({ interface: '127.0.0.1', bind: '0.0.0.0' })
  onTestFinished(() => asker.destroy())
  const heard: { name: string; data?: unknown }[] = []
  asker.on('response', ({ answers }) => void heard.push(...(answers as typeof heard)))
  const ask = (name: string, type: 'A' | 'PTR') => asker.query([{ name, type }])
  const answersFor = (name: string) => heard.filter((answer) => answer.name === name)

  ask(ANNOUNCED.name, 'A')
  await announcer.announce(ANNOUNCED)
  expect(announcer.name()).toBe(ANNOUNCED.name)
  await expect
    .poll(() => {
      ask(ANNOUNCED.name.toUpperCase(), 'A')
      return answersFor(ANNOUNCED.name)[0]
    })
    .toMatchObject({ data: '127.0.0.1' })
  await expect
    .poll(() => {
      ask('_https._tcp.local', 'PTR')
      return answersFor('_https._tcp.local')[0]
    })
    .toMatchObject({ data: 'Chat Gateway._https._tcp.local' })

  await announcer.announce(null)
  expect(announcer.name()).toBe(null)
  await new Promise((resolve) => setTimeout(resolve, 300))
  heard.length = 0
  ask(ANNOUNCED.name, 'A')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(answersFor(ANNOUNCED.name)).toEqual([])
})
