import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createPeople } from '../testing/create-people.ts'
import { Tasks } from '../tasks/index.ts'
import { Channels, type ChannelsDependencies } from './index.ts'

test('a gateway that starts beside others waits for what they write before it ends unfinished answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const people = await createPeople()
  const { storage } = people
  const live = {
    line: { hear: async () => undefined, tell: () => undefined },
    replicas: { isAlone: false, onGone: () => undefined },
  }
  const channels = await Channels.open({
    ...people,
    tasks: new Tasks(),
    live,
    log: createLogger('silent'),
    events: { onChannelSignal: () => undefined },
  } as unknown as ChannelsDependencies)
  const { userId } = await people.addCaller('ada')
  const row = { name: 'x', is_private: 0, created_at: 1, updated_at: 1 }
  await storage.run(
    storage.builder.insertInto('channel').values({ ...row, id: 'c', user_id: userId } as never),
  )
  const message = {
    channel_id: 'c',
    user_id: userId,
    content: 'Begin',
    created_at: 1,
    updated_at: 1,
  }
  await storage.run(
    storage.builder.insertInto('channel_message').values({ ...message, id: 'm', done: 0 } as never),
  )
  const done = async () =>
    (await storage.get(storage.builder.selectFrom('channel_message').select('done')))!.done
  channels.resume()
  // A write after it, so that one it began has been done.
  await new Promise(setImmediate)
  await storage.run(storage.builder.deleteFrom('channel_mark'))
  expect(await done()).toBe(0)
  // Nobody told of it meanwhile.
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(done).toBe(1)
})
