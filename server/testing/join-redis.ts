import { onTestFinished } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { Line, type Live, type Replicas } from '../live/index.ts'

/** Joins a gateway to Redis as its modules see it; the test decides which other gateways exist. */
export async function joinRedis(url: string, self: string) {
  const log = createLogger('silent')
  const line = await Line.open({ url, log, self, prefix: 'test:', patience: 0 })
  onTestFinished(() => line.close())
  const gone: ((replica: string) => void)[] = []
  const come: (() => void)[] = []
  const state = { isPaused: false }
  const replicas = {
    get isPaused() {
      return state.isPaused
    },
    isLeader: true,
    isAlone: false,
    present: new Set([self]),
    onGone: (listener: (replica: string) => void) => void gone.push(listener),
    onCome: (listener: () => void) => void come.push(listener),
    onLead: () => undefined,
    onLost: () => undefined,
    onTakeOver: () => undefined,
  } as unknown as Replicas
  const live: Live = { self, line, replicas }
  return {
    live,
    state,
    /** Simulates the end of another gateway. */
    lose(replica: string): void {
      for (const listener of gone) listener(replica)
    },
    /** Simulates that a gateway is present again. */
    find(): void {
      for (const listener of come) listener()
    },
  }
}
