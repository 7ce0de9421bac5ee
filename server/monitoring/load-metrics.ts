import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What is used of the library. */
export interface MetricsLibrary {
  readonly Counter: typeof Counter
  readonly Gauge: typeof Gauge
  readonly Histogram: typeof Histogram
  readonly Registry: typeof Registry
  /** Measures the process: memory, processor time, delay of the event loop. */
  readonly ofProcess: Registry
}

let loaded: Promise<MetricsLibrary> | null = null

async function load(): Promise<MetricsLibrary> {
  const { default: library } = await import('prom-client')
  const ofProcess = new library.Registry()
  library.collectDefaultMetrics({ register: ofProcess })
  return {
    Counter: library.Counter,
    Gauge: library.Gauge,
    Histogram: library.Histogram,
    Registry: library.Registry,
    ofProcess,
  }
}

/**
 * Once for each process, as what measures it cannot be ended; and only where somebody wants to
 * measure.
 */
export const loadMetrics = (): Promise<MetricsLibrary> => (loaded ??= load())
