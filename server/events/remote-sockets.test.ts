import { describe, expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { joinRedis } from '../testing/join-redis.ts'
import { hasRedis, startRedis } from '../testing/start-redis.ts'
import { anEvent, bearer, startSocketHub } from '../testing/start-socket-hub.ts'

const CALL = {
  chat_id: 'c',
  message_id: 'm',
  data: { type: 'input', data: { title: 'Name?' } },
} as const

/** Starts two gateways on one Redis. */
async function startTwo() {
  const redis = await startRedis({ folder: createTemporaryFolder() })
  onTestFinished(() => redis.close())
  const [a, b] = [await joinRedis(redis.url, 'a'), await joinRedis(redis.url, 'b')]
  const [first, second] = [
    await startSocketHub(undefined, a.live),
    await startSocketHub(undefined, b.live),
  ]
  return { redis, a, b, first, second }
}

describe.skipIf(!hasRedis)('sockets on two gateways', { timeout: 30_000 }, () => {
  test('events of a person reach the sockets on both once, in order, and nobody else', async () => {
    const { first, second } = await startTwo()
    const here = first.open(bearer('ada'))
    const there = second.open(bearer('ada'))
    const other = second.open(bearer('bob'))
    await Promise.all([here.next(), there.next(), other.next()])
    for (let index = 0; index < 200; index += 1)
      first.events.emit('ada', anEvent('status', { description: `step ${index}` }))
    for (const socket of [here, there])
      for (let index = 0; index < 200; index += 1)
        expect(await socket.next()).toMatchObject({
          data: { data: { description: `step ${index}` } },
        })
    for (const socket of [here, there, other]) {
      socket.send({ type: 'ping' })
      expect(await socket.next()).toEqual({ type: 'pong' })
    }
  })

  test('of two sockets that open on both at once the last one an account may have stays open', async () => {
    const { first, second } = await startTwo()
    const open = async (hub: typeof first) => {
      const socket = hub.open(bearer('ada'))
      await socket.next()
      socket.send({ type: 'ping' })
      const outcome = await socket.next().then(
        ({ type }) => type,
        (error: Error) => error.message,
      )
      return { socket, outcome }
    }
    for (let index = 0; index < 11; index += 1) await open(index % 2 === 0 ? first : second)
    for (let round = 0; round < 40; round += 1) {
      const both = await Promise.all([open(first), open(second)])
      const outcomes = new Set(both.map(({ outcome }) => outcome))
      expect(outcomes, `round ${round}`).toEqual(new Set(['closed with 4429', 'pong']))
      for (const { socket } of both) socket.webSocket.close()
      await Promise.all(both.map(({ socket }) => socket.closed()))
      // The other gateway hears of it a moment later.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })

  test('a call goes to the window on the other gateway, whose answer counts once; others may not answer', async () => {
    const { first, second } = await startTwo()
    const asked = second.open(bearer('ada'))
    const beside = second.open(bearer('ada'))
    const session = (await asked.next())['session_id'] as string
    await beside.next()
    await expect.poll(() => first.events.hasSession(session, 'ada')).toBe(true)
    expect(first.events.hasSession(session, 'bob')).toBe(false)
    const answer = first.events.call(session, 'ada', CALL, { timeoutMs: 5000 })
    const frame = await asked.next()
    expect(frame).toMatchObject({ type: 'call', ...CALL })
    beside.send({ type: 'call:result', call_id: frame['call_id'], result: 'from another window' })
    beside.send({ type: 'ping' })
    expect(await beside.next()).toEqual({ type: 'pong' })
    asked.send({ type: 'call:result', call_id: frame['call_id'], result: { value: 42 } })
    expect(await answer).toEqual({ value: 42 })
  })

  test('a call is taken back when nobody waits, and fails with the window or its gateway', async () => {
    const { a, first, second } = await startTwo()
    const window = second.open(bearer('ada'))
    const session = (await window.next())['session_id'] as string
    await expect.poll(() => first.events.hasSession(session, 'ada')).toBe(true)
    const stop = new AbortController()
    const stopped = first.events.call(session, 'ada', CALL, {
      timeoutMs: 5000,
      signal: stop.signal,
    })
    const { call_id: callId } = await window.next()
    stop.abort()
    await expect(stopped).rejects.toThrow('stopped')
    expect(await window.next()).toEqual({ type: 'call:cancel', call_id: callId })
    const lost = first.events.call(session, 'ada', CALL, { timeoutMs: 5000 })
    await window.next()
    a.lose('b')
    await expect(lost).rejects.toThrow('closed')
    expect(first.events.hasSession(session, 'ada')).toBe(false)
    a.find()
    await expect.poll(() => first.events.hasSession(session, 'ada')).toBe(true)
  })

  test('a closed window is known to be gone, and the focus of one elsewhere counts', async () => {
    const { first, second } = await startTwo()
    const window = second.open(bearer('ada'))
    const session = (await window.next())['session_id'] as string
    window.send({ type: 'focus', focused: true })
    await expect.poll(() => first.events.isFocused('ada')).toBe(true)
    expect(first.events.windowOf('ada')).toBe(session)
    expect([...first.events.connected()]).toEqual(['ada'])
    const abandoned = first.events.call(session, 'ada', CALL, { timeoutMs: 5000 })
    await window.next()
    window.webSocket.terminate()
    await expect(abandoned).rejects.toThrow('was closed')
    await expect.poll(() => first.events.isFocused('ada')).toBe(false)
    expect([...first.events.connected()]).toEqual([])
  })

  test('one that may have been taken for dead says nothing', async () => {
    const { a, first, second } = await startTwo()
    const there = second.open(bearer('ada'))
    await there.next()
    a.state.isPaused = true
    first.events.emit('ada', anEvent('status', { description: 'too late' }))
    a.state.isPaused = false
    first.events.emit('ada', anEvent('status', { description: 'again' }))
    expect(await there.next()).toMatchObject({ data: { data: { description: 'again' } } })
  })

  test('what was missed while Redis was away is known again afterwards', async () => {
    const { redis, first, second } = await startTwo()
    const { port, folder } = redis
    await redis.close()
    const window = second.open(bearer('ada'))
    const session = (await window.next())['session_id'] as string
    expect(first.events.hasSession(session, 'ada')).toBe(false)
    await expect(first.events.call(session, 'ada', CALL, { timeoutMs: 5000 })).rejects.toThrow(
      'no longer connected',
    )
    const again = await startRedis({ port, folder })
    onTestFinished(() => again.close())
    await expect.poll(() => first.events.hasSession(session, 'ada'), { timeout: 15_000 }).toBe(true)
    first.events.emit('ada', anEvent('status', { description: 'heard' }))
    expect(await window.next()).toMatchObject({ data: { data: { description: 'heard' } } })
  })
})
