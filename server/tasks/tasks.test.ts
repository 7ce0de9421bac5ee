import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Users } from '../users/index.ts'
import { serveTestRoutes, type TestRoutes } from '../testing/serve-test-routes.ts'
import { createTaskRoutes, stopTasksOfBarred, Tasks } from './index.ts'

let tasks: Tasks
let served: TestRoutes
beforeEach(async () => {
  tasks = new Tasks()
  served = await serveTestRoutes(
    createTaskRoutes(tasks, {
      ownerOf: async (chatId) => (chatId === 'chat' ? 'ada' : null),
      closeAnnounced: async () => undefined,
    }),
  )
})
afterEach(() => served.close())

const start = (chatId: string | null = 'chat', userId = 'ada', messageId = 'm') =>
  tasks.start({ userId, chatId, messageId })
const post = (caller: string, path: string) => served.call(caller, path, { method: 'POST' })

describe('running answers', () => {
  it('are known from their start until they have finished', () => {
    const task = start()
    expect(tasks.get(task.id)).toBe(task)
    expect(tasks.ofChat('chat')).toEqual([task])
    task.finish()
    expect([tasks.get(task.id), tasks.list(), tasks.ofChat('chat')]).toEqual([null, [], []])
    expect(tasks.stop(task.id, 'user')).toBe(false)
  })

  it('are stopped with the reason and stay until they have finished', () => {
    const task = start(null)
    expect(tasks.stop(task.id, 'user')).toBe(true)
    expect(task.signal.reason).toBe('user')
    expect(tasks.list()).toEqual([task])
  })

  it('may come to their end before a shutdown stops them, with the work that follows them', async () => {
    const answer = start()
    const settled = tasks.settle(10_000)
    const following = tasks.start({
      userId: 'ada',
      chatId: 'chat',
      messageId: 'm',
      kind: 'background',
    })
    answer.finish()
    setImmediate(() => following.finish())
    await settled
    expect([answer.signal.aborted, following.signal.aborted, tasks.list()]).toEqual([
      false,
      false,
      [],
    ])
  })

  it('are all stopped and awaited by a shutdown', async () => {
    const [one, two] = [start(), start(null)]
    for (const task of [one, two])
      task.signal.addEventListener('abort', () => setImmediate(() => task.finish()))
    await tasks.drain(10_000)
    expect(one.signal.reason).toBe('shutdown')
    expect(tasks.list()).toEqual([])
  })

  it('do not hold up a shutdown beyond its time', async () => {
    const task = start()
    await tasks.drain(10)
    expect(tasks.list()).toEqual([task])
  })
})

describe('runs of an account', () => {
  it.each([
    ['that is deleted are dropped', 'deleted', 'deleted'],
    ['that may no longer sign in are stopped', 'pending', 'user'],
  ] as const)('%s', (_, cause, reason) => {
    let announce: Parameters<Users['onBarred']>[0] = () => undefined
    stopTasksOfBarred({ onBarred: (listener) => void (announce = listener) }, tasks)
    const [own, foreign] = [start(), start('other', 'bob')]
    announce('ada', cause)
    expect([own.signal.reason, foreign.signal.reason]).toEqual([reason, undefined])
  })
})

describe('the routes of running answers', () => {
  it('stop a run for its owner and for an admin', async () => {
    for (const caller of ['ada', 'admin:root']) {
      const task = start()
      const reply = await post(caller, `/api/tasks/stop/${task.id}`)
      expect(reply.body.status).toBe(true)
      expect(task.signal.reason).toBe('user')
      task.finish()
    }
  })

  it("row 47: another user's run is the same 404 as an unknown one and goes on", async () => {
    const task = start()
    const foreign = await post('eve', `/api/tasks/stop/${task.id}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual((await post('eve', '/api/tasks/stop/nothing')).body)
    expect((await post('eve', '/api/tasks/chat/chat/stop')).status).toBe(404)
    expect(task.signal.aborted).toBe(false)
  })

  it('list all runs to admins only', async () => {
    const task = start()
    expect((await served.call('admin:root', '/api/tasks')).body).toEqual({ tasks: [task.id] })
    expect((await served.call('ada', '/api/tasks')).status).toBe(401)
  })

  it('list and stop the runs of a chat; a foreign chat has none', async () => {
    const task = start()
    expect((await served.call('ada', '/api/tasks/chat/chat')).body).toEqual({ task_ids: [task.id] })
    for (const [caller, chat] of [
      ['eve', 'chat'],
      ['ada', 'unknown'],
    ] as const) {
      expect((await served.call(caller, `/api/tasks/chat/${chat}`)).body).toEqual({ task_ids: [] })
    }
    expect((await post('ada', '/api/tasks/chat/chat/stop')).body.status).toBe(true)
    expect(task.signal.reason).toBe('user')
    task.finish()
    expect((await post('ada', '/api/tasks/chat/chat/stop')).body.status).toBe(false)
  })

  it('stop one of several answers by its message, for whoever does not know its task', async () => {
    const [one, two] = [start('chat', 'ada', 'one'), start('chat', 'ada', 'two')]
    expect((await post('eve', '/api/tasks/chat/chat/stop?message_id=one')).status).toBe(404)
    expect((await post('ada', '/api/tasks/chat/chat/stop?message_id=other')).body.status).toBe(
      false,
    )
    expect([one.signal.aborted, two.signal.aborted]).toEqual([false, false])
    expect((await post('ada', '/api/tasks/chat/chat/stop?message_id=one')).body.status).toBe(true)
    expect([one.signal.reason, two.signal.aborted]).toEqual(['user', false])
  })
})
