import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConnectionTurns, MOST_WAITING } from './connection-turns.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

describe('requests that are sent ahead in one packet', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  /**
   * Sends GET requests for the paths as one packet and reads until the gateway closes the
   * connection; returns the statuses and the whole text.
   */
  async function sendAhead(
    paths: readonly string[],
  ): Promise<{ statuses: number[]; text: string }> {
    const { hostname, port, host } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`)
    socket.write(`${heads.join('\r\n')}Connection: close\r\n\r\n`)
    await once(socket, 'close')
    return {
      statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
      text,
    }
  }

  test('are all answered, in their order', async () => {
    const paths = Array.from({ length: MOST_WAITING }, (_, place) =>
      place % 3 === 0 ? '/api/version' : '/api/nothing-here',
    )
    const { statuses } = await sendAhead(paths)
    expect(statuses).toEqual(paths.map((path) => (path === '/api/version' ? 200 : 404)))
  })

  test('are refused in words beyond the number that may wait, with the connection closed behind those before', async () => {
    const { statuses, text } = await sendAhead(
      Array.from({ length: 3 * MOST_WAITING }, () => '/api/version'),
    )
    expect(statuses).toEqual([...Array.from({ length: MOST_WAITING + 1 }, () => 200), 429])
    expect(text).toContain(`More than ${MOST_WAITING} requests of this connection wait`)
    expect((await server.call('GET', '/health')).status).toBe(200)
  })
})

describe('turns of connections', () => {
  const openConnection = () =>
    ({
      socket: {
        destroyed: false,
        destroy() {
          this.destroyed = true
        },
      },
    }) as unknown as IncomingMessage
  const fail = (): never => {
    throw new Error('refused')
  }

  test('a connection begins one request in a turn of the event loop, and does not hold up another one', async () => {
    const turns = new ConnectionTurns()
    const [eager, other] = [openConnection(), openConnection()]
    const begun: string[] = []
    for (let place = 0; place < 4; place += 1)
      turns.run(eager, () => begun.push(`eager ${place}`), fail)
    turns.run(other, () => begun.push('other'), fail)
    expect(begun).toEqual(['eager 0', 'other'])
    for (let count = 3; count <= 5; count += 1) {
      await expect.poll(() => begun.length, { interval: 0 }).toBeGreaterThanOrEqual(count)
    }
    expect(begun.slice(2)).toEqual(['eager 1', 'eager 2', 'eager 3'])
    await nextLoop()
    await nextLoop()
    turns.run(eager, () => begun.push('later'), fail)
    expect(begun.at(-1)).toBe('later')
  })

  test('what waits on a connection that is gone is not begun, and one that goes on after its refusal is cut', async () => {
    const turns = new ConnectionTurns()
    const request = openConnection()
    let [begun, refused] = [0, 0]
    const runMany = (count: number): void => {
      for (let place = 0; place < count; place += 1)
        turns.run(
          request,
          () => (begun += 1),
          () => (refused += 1),
        )
    }
    runMany(MOST_WAITING + 500)
    expect([begun, refused, request.socket.destroyed]).toEqual([1, 1, false])
    runMany(1000)
    expect([begun, refused, request.socket.destroyed]).toEqual([1, 1, true])
    for (let count = 0; count < 10; count += 1) await nextLoop()
    expect(begun).toBe(1)
  })
})
