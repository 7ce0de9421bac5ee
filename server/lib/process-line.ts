import { appPort, type LinePort } from './app-port.ts'

/** Connection to the gateway, however this process was started. */
export interface Line<Order, Report> {
  send(report: Report): void
  onOrder(listener: (order: Order) => void): void
  onClosed(listener: () => void): void
}

function fromPort<Order, Report>(port: LinePort): Line<Order, Report> {
  return {
    send: (report) => port.postMessage(report),
    onOrder(listener) {
      port.on('message', ({ data }) => listener(data as Order))
      port.start()
    },
    onClosed: (listener) => port.on('close', listener),
  }
}

/**
 * Opens the connection: inside Electron the app hands over a port; under Node it is the IPC channel
 * of the parent process.
 */
export function openLine<Order, Report>(): Promise<Line<Order, Report>> {
  const app = appPort
  if (app)
    return new Promise((resolve) =>
      app.once('message', ({ ports: [port] }) => {
        if (port) resolve(fromPort(port))
      }),
    )
  return Promise.resolve({
    send: (report) => void process.send?.(report),
    onOrder: (listener) => void process.on('message', (order) => listener(order as Order)),
    onClosed: (listener) => void process.on('disconnect', listener),
  })
}
