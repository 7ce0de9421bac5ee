import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { CallWatcher } from '../lib/serving/call-watcher.ts'
import { PERIODIC_JOBS, readTally } from '../lib/tally.ts'
import { loadMetrics, type MetricsLibrary } from './load-metrics.ts'
import { methodOf, routeOf, statusOf } from './name-call.ts'
import { addReadings, type Readings } from './readings.ts'

/** Parameters of the metrics. */
export interface MetricsOptions {
  readonly readings: Readings
  readonly version: string
}

const DURATIONS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

interface Watched {
  readonly began: number
  endpoint?: AnyEndpoint
}

/** The metrics of one gateway, in the Prometheus format. */
export class Metrics implements CallWatcher {
  readonly #registry: Registry
  /** Metrics of the process, which may start several gateways one after the other. */
  readonly #ofProcess: Registry
  readonly #requests
  readonly #durations
  readonly #watched = new WeakMap<ServerResponse, Watched>()
  #reading: Promise<string> | null = null

  static async load(options: MetricsOptions): Promise<Metrics> {
    return new Metrics(await loadMetrics(), options)
  }

  private constructor(library: MetricsLibrary, { readings, version }: MetricsOptions) {
    const registry = new library.Registry()
    const registers = [registry]
    this.#registry = registry
    this.#ofProcess = library.ofProcess
    this.#requests = new library.Counter({
      name: 'chat_gateway_http_requests_total',
      help: 'Requests that ended, by the template of their route.',
      labelNames: ['method', 'route', 'status'],
      registers,
    })
    this.#durations = new library.Histogram({
      name: 'chat_gateway_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its reply, streams included.',
      labelNames: ['method', 'route'],
      buckets: DURATIONS,
      registers,
    })
    addTallies(library, registry)
    addReadings(library, registry, readings)
    const info = new library.Gauge({
      name: 'chat_gateway_info',
      help: 'Always 1; the label has the version.',
      labelNames: ['version'],
      registers,
    })
    info.set({ version }, 1)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const watched: Watched = { began: performance.now() }
    this.#watched.set(response, watched)
    response.on('close', () => this.#end(request, response, watched))
  }

  within(_: ServerResponse, answer: () => void): void {
    answer()
  }

  name(response: ServerResponse, endpoint: AnyEndpoint): void {
    const watched = this.#watched.get(response)
    if (watched) watched.endpoint = endpoint
  }

  /** Resolves with all metrics as text; concurrent callers share the result. */
  read(): Promise<string> {
    return (this.#reading ??= this.#readAll().finally(() => (this.#reading = null)))
  }

  async #readAll(): Promise<string> {
    const parts = await Promise.all([this.#registry.metrics(), this.#ofProcess.metrics()])
    return parts.join('')
  }

  #end(request: IncomingMessage, response: ServerResponse, { began, endpoint }: Watched): void {
    const labels = { method: methodOf(request), route: routeOf(endpoint) }
    this.#requests.inc({ ...labels, status: statusOf(response) })
    this.#durations.observe(labels, (performance.now() - began) / 1000)
  }
}

/** Adds counters for events that are reported as they occur. */
function addTallies(library: MetricsLibrary, registry: Registry): void {
  const tokens = new library.Counter({
    name: 'chat_gateway_tokens_total',
    help: 'Tokens of answers, as reported by providers.',
    labelNames: ['direction'],
    registers: [registry],
    collect() {
      tokens.reset()
      tokens.inc({ direction: 'input' }, readTally().tokens.input)
      tokens.inc({ direction: 'output' }, readTally().tokens.output)
    },
  })
  const runs = new library.Counter({
    name: 'chat_gateway_periodic_runs_total',
    help: 'Completed runs of periodic work.',
    labelNames: ['job'],
    registers: [registry],
    collect() {
      runs.reset()
      for (const job of PERIODIC_JOBS) runs.inc({ job }, readTally().periodicRuns[job])
    },
  })
}
