import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The used parts of the library. */
export interface MetricsLibrary {
  readonly Counter: typeof Counter
  readonly Gauge: typeof Gauge
  readonly Histogram: typeof Histogram
  readonly Registry: typeof Registry
  /** Measures the process: memory, processor time, event loop delay. */
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
 * Loaded once per process, because its collectors cannot be stopped, and only if measurements are
 * configured.
 */
export const loadMetrics = (): Promise<MetricsLibrary> => (loaded ??= load())
