// The part of the app that starts the process for models, around a test gateway.
import { app, utilityProcess } from 'electron'
import { serveEngines } from '../../../main/gateway/model-engine.ts'
import type { EngineAnswer, EngineOrder } from './gateway.ts'

declare global {
  var askEngine: (order: Omit<EngineOrder, 'id'>) => Promise<EngineAnswer>
}

const [gatewayProgram, models] = process.argv.slice(-2) as [string, string]

await app.whenReady()
const gateway = utilityProcess.fork(gatewayProgram, [models], { env: {}, stdio: 'inherit' })
serveEngines(gateway, gatewayProgram)
let last = 0
globalThis.askEngine = (order) =>
  new Promise((resolve) => {
    const id = `order-${(last += 1)}`
    const hear = (answer: EngineAnswer): void => {
      if (answer.type !== 'answered' || answer.id !== id) return
      gateway.off('message', hear)
      resolve(answer)
    }
    gateway.on('message', hear)
    gateway.postMessage({ ...order, id })
  })
