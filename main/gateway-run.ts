import type { GatewayProcess } from './gateway.ts'
import {
  messageFromGatewaySchema,
  type MessageFromGateway,
  type MessageToGateway,
  type StartFailure,
} from './gateway-messages.ts'

/** Times in milliseconds. Starting may include the upgrade of a large database. */
export interface RunLimits {
  readonly start: number
  readonly stop: number
  readonly code: number
}

export interface RunOptions {
  readonly process: GatewayProcess
  readonly startMessage: Extract<MessageToGateway, { type: 'start' }>
  readonly limits: RunLimits
  /** Whether the address really answers; asked until it does. */
  readonly isHealthy: (url: string) => Promise<boolean>
  readonly onReady: (address: { url: string; port: number }) => void
  /** The process ended without being asked to; `failure` is the reason it gave itself. */
  readonly onCrash: (code: number | null, failure: StartFailure | null) => void
}

/** One life of the server process, from its start message to its end. */
export interface GatewayRun {
  requestCode(): Promise<string>
  setPaused(isPaused: boolean): void
  /**
   * Asks it to stop and kills it when it takes too long; settles when it is gone. No callback fires
   * any more.
   */
  stop(): Promise<void>
}

const HEALTH_INTERVAL = 50

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export function startRun({
  process,
  startMessage,
  limits,
  isHealthy,
  onReady,
  onCrash,
}: RunOptions): GatewayRun {
  const ended = Promise.withResolvers<void>()
  const codes: PromiseWithResolvers<string>[] = []
  const startTimer = setTimeout(() => process.kill(), limits.start)
  let isWatched = true
  let failure: StartFailure | null = null

  async function waitUntilHealthy(address: { url: string; port: number }): Promise<void> {
    while (isWatched && !(await isHealthy(address.url))) await delay(HEALTH_INTERVAL)
    if (!isWatched) return
    clearTimeout(startTimer)
    onReady(address)
  }

  function receive(message: MessageFromGateway): void {
    if (message.type === 'ready') {
      void waitUntilHealthy(message)
    } else if (message.type === 'failed') {
      failure = message
      end()
    } else {
      codes.shift()?.resolve(message.code)
    }
  }

  /** Asks for the end and enforces it. */
  function end(): void {
    process.send({ type: 'stop' })
    const killTimer = setTimeout(() => process.kill(), limits.stop)
    void ended.promise.then(() => clearTimeout(killTimer))
  }

  process.onMessage((data) => {
    const parsed = messageFromGatewaySchema.safeParse(data)
    if (parsed.success) receive(parsed.data)
  })
  process.onExit((code) => {
    const wasWatched = isWatched
    isWatched = false
    clearTimeout(startTimer)
    for (const waiting of codes.splice(0))
      waiting.reject(new Error('The gateway stopped before it could sign in this window.'))
    ended.resolve()
    if (wasWatched) onCrash(code, failure)
  })
  process.send(startMessage)

  return {
    requestCode() {
      const waiting = Promise.withResolvers<string>()
      const timer = setTimeout(
        () => waiting.reject(new Error('The gateway did not answer in time.')),
        limits.code,
      )
      codes.push(waiting)
      process.send({ type: 'desktop-code' })
      return waiting.promise.finally(() => clearTimeout(timer))
    },
    setPaused: (isPaused) => process.send({ type: 'pause', isPaused }),
    async stop() {
      isWatched = false
      clearTimeout(startTimer)
      end()
      await ended.promise
    },
  }
}
