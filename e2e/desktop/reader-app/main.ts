// The part of the app that starts document readers, around a test gateway.
import { app, utilityProcess } from 'electron'
import { serveReaders } from '../../../main/gateway/document-readers.ts'

declare global {
  var readDocument: (order: {
    path: string
    filename: string
    timeLimit: number
  }) => Promise<{ type: string; text: string }>
}

const gatewayProgram = process.argv.at(-1)!

await app.whenReady()
const gateway = utilityProcess.fork(gatewayProgram, [], { env: {}, stdio: 'inherit' })
serveReaders(gateway, gatewayProgram)
globalThis.readDocument = (order) =>
  new Promise((resolve) => {
    const hear = (message: { type: string; text: string }): void => {
      if (message.type !== 'read' && message.type !== 'refused') return
      gateway.off('message', hear)
      resolve(message)
    }
    gateway.on('message', hear)
    gateway.postMessage({ type: 'read', ...order })
  })
