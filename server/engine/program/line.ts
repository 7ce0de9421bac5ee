import { appPort, type LinePort } from '../../lib/app-port.ts'
import type { EngineOrder, EngineReport } from './protocol.ts'

/** The line to the gateway, whichever way this process was started. */
export interface Line {
  send(report: EngineReport): void
  onOrder(listener: (order: EngineOrder) => void): void
  onClosed(listener: () => void): void
}

function fromPort(port: LinePort): Line {
  return {
    send: (report) => port.postMessage(report),
    onOrder(listener) {
      port.on('message', ({ data }) => listener(data as EngineOrder))
      port.start()
    },
    onClosed: (listener) => port.on('close', listener),
  }
}

/** Inside Electron the app hands over the line; under Node it is that of the parent process. */
export function openLine(): Promise<Line> {
  const app = appPort
  if (app)
    return new Promise((resolve) =>
      app.once('message', ({ ports: [port] }) => {
        if (port) resolve(fromPort(port))
      }),
    )
  return Promise.resolve({
    send: (report) => void process.send?.(report),
    onOrder: (listener) => void process.on('message', (order) => listener(order as EngineOrder)),
    onClosed: (listener) => void process.on('disconnect', listener),
  })
}
