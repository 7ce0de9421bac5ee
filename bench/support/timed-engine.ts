// The process of the built-in runtime, which also reports when it learned that a caller has left,
// and when it finished the evaluation that was running then.
import type { AddressInfo } from 'node:net'
import { createEngineServer } from '../../server/engine/program/serve.ts'
import { chooseProcessor, openLibrary } from '../../server/engine/program/open-library.ts'

/** One message for each call that was left; times in milliseconds of the engine's clock. */
export interface CancelReport {
  readonly type: 'cancelled'
  /** From the end of the caller's connection to the end of the last evaluation. */
  readonly milliseconds: number
  /** Number of batches that began after the caller had left. */
  readonly batchesAfter: number
}
export interface TimedEngineReady {
  readonly type: 'ready'
  readonly port: number
}
/** The library does not name its native part in its types. */
interface Native {
  readonly _ctx: { decodeBatch(): Promise<void> }
}

/** Time without an evaluation after which there is none any more. */
const QUIET_MILLISECONDS = 300

const [token = ''] = process.argv.slice(2)
const send = (message: CancelReport | TimedEngineReady): void => void process.send!(message)

chooseProcessor({ usesGraphics: false, cudaPackages: {} })
const { library } = await openLibrary()
let ended = 0
let running = 0
const begun: number[] = []

const { LlamaModel } = library
// oxlint-disable-next-line typescript/unbound-method -- it is called with the model of the call
const createContext = LlamaModel.prototype.createContext
LlamaModel.prototype.createContext = async function (options) {
  const context = await createContext.call(this, options)
  const { _ctx: evaluator } = context as unknown as Native
  const evaluate = evaluator.decodeBatch.bind(evaluator)
  const timed = async (): Promise<void> => {
    begun.push(performance.now())
    running += 1
    try {
      await evaluate()
    } finally {
      running -= 1
      ended = performance.now()
    }
  }
  // The property of the native object cannot be assigned.
  Object.defineProperty(evaluator, 'decodeBatch', { value: timed })
  return context
}

const server = createEngineServer(token, { onIdle: () => undefined, onWait: () => undefined })
server.on('request', (_, response) => {
  response.once('close', () => {
    if (response.writableFinished) return
    const left = performance.now()
    const report = (): void => {
      if (running > 0 || performance.now() - ended < QUIET_MILLISECONDS)
        return void setTimeout(report, QUIET_MILLISECONDS / 4)
      send({
        type: 'cancelled',
        milliseconds: Math.max(0, ended - left),
        batchesAfter: begun.filter((time) => time > left).length,
      })
    }
    setTimeout(report, QUIET_MILLISECONDS)
  })
})
server.listen(0, '127.0.0.1', () =>
  send({ type: 'ready', port: (server.address() as AddressInfo).port }),
)
process.once('disconnect', () => process.exit(0))
