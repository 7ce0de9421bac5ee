// Entry point of the process that runs models. It is called over a loopback port, and communicates
// with the gateway that started it over a message channel.
import type { AddressInfo } from 'node:net'
import { openLine } from '../../lib/process-line.ts'
import { chooseProcessor } from './open-library.ts'
import type { EngineOrder, EngineReport } from './protocol.ts'
import { createEngineServer } from './serve.ts'

const line = await openLine<EngineOrder, EngineReport>()

function start(token: string): void {
  const server = createEngineServer(token, {
    onIdle: () => line.send({ type: 'idle' }),
    onWait: (call, wait) => line.send({ type: 'waiting', call, wait }),
  })
  server.listen(0, '127.0.0.1', () =>
    line.send({ type: 'ready', port: (server.address() as AddressInfo).port }),
  )
  line.onOrder((order) => {
    if (order.type !== 'stop') return
    // Running answers are completed.
    server.close(() => process.exit(0))
    server.closeIdleConnections()
  })
}

line.onOrder((order) => {
  if (order.type !== 'start') return
  chooseProcessor(order, (usesCuda) => line.send({ type: 'opened', usesCuda }))
  start(order.token)
})
line.onClosed(() => process.exit(0))
