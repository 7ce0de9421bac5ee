import type { GatewayProcess } from './gateway.ts'
import {
  messageFromGatewaySchema,
  type GatewayAnswer,
  type MessageFromGateway,
  type MessageToGateway,
  type StartFailure,
} from './gateway-messages.ts'

/** Times in milliseconds. Starting may include the upgrade of a large database. */
export interface RunLimits {
  readonly start: number
  readonly stop: number
  /** For an answer to a question. */
  readonly code: number
  /** For a copy of the database, which may be large. */
  readonly backup: number
}

export interface GatewayAddress {
  readonly url: string
  readonly port: number
  /** It started again by itself with other data, where nobody is signed in. */
  readonly isAnew: boolean
}

export interface RunOptions {
  readonly process: GatewayProcess
  readonly startMessage: Extract<MessageToGateway, { type: 'start' }>
  readonly limits: RunLimits
  /** Whether the address really answers; asked until it does. */
  readonly isHealthy: (url: string) => Promise<boolean>
  /** What the system says of the proxies to an origin, as in `PROXY one:3128; DIRECT`. */
  readonly findProxies: (origin: string) => Promise<string>
  readonly onReady: (address: GatewayAddress) => void
  /** The process ended without being asked to; `failure` is the reason it gave itself. */
  readonly onCrash: (code: number | null, failure: StartFailure | null) => void
}

/** One life of the server process, from its start message to its end. */
export interface GatewayRun {
  requestCode(): Promise<string>
  /** How many answers are being written. */
  countAnswers(): Promise<number>
  /** Whether the app may contact a host for an update, which sealed mode refuses. */
  mayLeave(host: string, port: number): Promise<boolean>
  /** Has the database copied; answers the file, or fails with the reason in words. */
  backUp(label: string): Promise<string>
  setPaused(isPaused: boolean): void
  /**
   * Asks it to stop and kills it when it takes too long; settles when it is gone. No callback fires
   * any more.
   */
  stop(): Promise<void>
}

type ProxyQuestion = Extract<MessageFromGateway, { type: 'find-proxies' }>

/** A question to the gateway that waits for its answer. */
interface Question {
  readonly type: GatewayAnswer['type']
  readonly resolve: (answer: GatewayAnswer) => void
  readonly reject: (reason: Error) => void
}

const HEALTH_INTERVAL = 50

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

function requireFile({ file, problem }: Extract<GatewayAnswer, { type: 'backed-up' }>): string {
  if (file === null) throw new Error(problem ?? 'The gateway gave no reason.')
  return file
}

async function tellProxies(
  { id, origin }: ProxyQuestion,
  { process, findProxies }: Pick<RunOptions, 'process' | 'findProxies'>,
): Promise<void> {
  const route = await findProxies(origin).catch(() => null)
  process.send({ type: 'proxies', id, route })
}

export function startRun({
  process,
  startMessage,
  limits,
  isHealthy,
  findProxies,
  onReady,
  onCrash,
}: RunOptions): GatewayRun {
  const ended = Promise.withResolvers<void>()
  const questions: Question[] = []
  const startTimer = setTimeout(() => process.kill(), limits.start)
  let isWatched = true
  let failure: StartFailure | null = null

  async function waitUntilHealthy(address: GatewayAddress): Promise<void> {
    while (isWatched && !(await isHealthy(address.url))) await delay(HEALTH_INTERVAL)
    if (!isWatched) return
    clearTimeout(startTimer)
    onReady(address)
  }

  function receive(message: MessageFromGateway): void {
    if (message.type === 'ready') void waitUntilHealthy(message)
    else if (message.type === 'find-proxies') void tellProxies(message, { process, findProxies })
    else if (message.type === 'failed') {
      failure = message
      end()
    } else {
      const place = questions.findIndex(({ type }) => type === message.type)
      if (place !== -1) questions.splice(place, 1)[0]!.resolve(message)
    }
  }

  /** Answers of one kind come in the order of their questions. */
  function ask<Type extends GatewayAnswer['type']>(
    message: MessageToGateway,
    type: Type,
    limit: number,
  ): Promise<Extract<GatewayAnswer, { type: Type }>> {
    const { promise, resolve, reject } =
      Promise.withResolvers<Extract<GatewayAnswer, { type: Type }>>()
    questions.push({ type, resolve: resolve as Question['resolve'], reject })
    const timer = setTimeout(() => reject(new Error('The gateway did not answer in time.')), limit)
    process.send(message)
    return promise.finally(() => clearTimeout(timer))
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
    for (const waiting of questions.splice(0))
      waiting.reject(new Error('The gateway stopped before it could answer.'))
    ended.resolve()
    if (wasWatched) onCrash(code, failure)
  })
  process.send(startMessage)

  return {
    requestCode: async () =>
      (await ask({ type: 'desktop-code' }, 'desktop-code', limits.code)).code,
    countAnswers: async () => (await ask({ type: 'activity' }, 'activity', limits.code)).answers,
    mayLeave: async (host, port) =>
      (await ask({ type: 'leave', host, port }, 'leave', limits.code)).isAllowed,
    backUp: async (label) =>
      requireFile(await ask({ type: 'back-up', label }, 'backed-up', limits.backup)),
    setPaused: (isPaused) => process.send({ type: 'pause', isPaused }),
    async stop() {
      isWatched = false
      clearTimeout(startTimer)
      end()
      await ended.promise
    },
  }
}
