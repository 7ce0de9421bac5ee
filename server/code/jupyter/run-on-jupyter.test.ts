import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { createOutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import { closeListeners, listen, never } from '../../testing/guarded-listener.ts'
import { runOnJupyter } from './run-on-jupyter.ts'

afterEach(closeListeners)

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1024 * 1024, 'x')
}

test.each([
  ['answers without an end', 201, /did not start a kernel \(status 201\)/],
  ['refuses without an end', 500, /did not start a kernel \(status 500\)/],
  ['breaks off', null, /cannot be reached, or it broke off/],
])('A server that %s is left, and said to be the reason', async (_, status, words) => {
  let left = 0
  const jupyter = await listen((request, response) => {
    response.on('close', () => (left += 1))
    if (status === null) return request.socket.destroy()
    Readable.from(endless()).pipe(response.writeHead(status))
  })
  const outgoing = createOutgoingFetch({ kind: 'code' })
  const server = {
    url: `http://127.0.0.1:${jupyter.port}`,
    auth: 'none',
    token: '',
    password: '',
    timeoutMs: 20_000,
  }
  const run = { server, code: '1', outputLimit: 1000, signal: never }
  expect(await runOnJupyter(outgoing, run, { kernel: null })).toMatchObject({
    status: 'failed',
    stderr: expect.stringMatching(words),
  })
  await expect.poll(() => left).toBe(1)
  await outgoing.close()
})
