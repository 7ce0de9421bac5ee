import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { CallWatcher } from '../lib/serving/call-watcher.ts'
import type { Logger } from '../lib/logger.ts'
import { Metrics } from './metrics.ts'
import { listenForMetrics } from './metrics-listener.ts'
import type { Readings } from './readings.ts'
import { Traces } from './traces.ts'

export type { Readings }

export interface MonitoringDependencies {
  readonly config: Config
  readonly log: Logger
  readonly readings: Readings
}

/** External monitoring of a gateway; nothing of it is loaded unless configured. */
export class Monitoring implements CallWatcher {
  readonly #watchers: readonly CallWatcher[]
  readonly #endings: readonly (() => Promise<void>)[]

  /**
   * Resolves with null if monitoring is not configured. Throws a `StartError` if it cannot be
   * opened.
   */
  static async open(dependencies: MonitoringDependencies): Promise<Monitoring | null> {
    const { config, log, readings } = dependencies
    const { metricsAddress, traceReceiver, productVersion: version } = config
    const watchers: CallWatcher[] = []
    const endings: (() => Promise<void>)[] = []
    if (metricsAddress) {
      const metrics = await Metrics.load({ readings, version })
      endings.push(await listenForMetrics({ address: metricsAddress, metrics, log }))
      watchers.push(metrics)
    }
    if (traceReceiver) {
      const traces = await Traces.load({ receiver: traceReceiver, version, log })
      endings.push(() => traces.close())
      watchers.push(traces)
    }
    return watchers.length === 0 ? null : new Monitoring(watchers, endings)
  }

  private constructor(watchers: readonly CallWatcher[], endings: readonly (() => Promise<void>)[]) {
    this.#watchers = watchers
    this.#endings = endings
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    for (const watcher of this.#watchers) watcher.begin(request, response)
  }

  within(response: ServerResponse, answer: () => void): void {
    const wrapped = this.#watchers.reduceRight<() => void>(
      (inner, watcher) => () => watcher.within(response, inner),
      answer,
    )
    wrapped()
  }

  name(response: ServerResponse, endpoint: AnyEndpoint): void {
    for (const watcher of this.#watchers) watcher.name(response, endpoint)
  }

  async close(): Promise<void> {
    await Promise.all(this.#endings.map((end) => end()))
  }
}
