import type { Providers } from '../../providers/index.ts'
import type { Settings } from '../../settings/index.ts'
import { chooseEngine } from './choose-engine.ts'

/** What came of asking an engine for one vector. */
export interface EngineTrial {
  readonly dimensions: number
  readonly milliseconds: number
}

/** Values tried in the place of those that are set; an empty secret is the stored one. */
export type TriedValues = Readonly<Record<string, string | undefined>>

const SAMPLE = 'How is the machine cleaned?'

/**
 * Asks the engine that some values would choose for one vector, without storing them. Throws its
 * `ServiceError` when it cannot.
 */
export async function tryEngine(
  { settings, providers }: { settings: Settings; providers: Providers },
  values: TriedValues,
  signal: AbortSignal,
): Promise<EngineTrial> {
  const tried = {
    integer: (key: string): number => settings.integer(key),
    string: (key: string): string => {
      const value = values[key]
      return value === undefined || (value === '' && key.endsWith('_API_KEY'))
        ? settings.string(key)
        : value
    },
  }
  const { engine } = chooseEngine(tried, providers)
  const start = performance.now()
  try {
    const [vector] = await engine.embed([SAMPLE], 'query', signal)
    return { dimensions: vector!.length, milliseconds: Math.round(performance.now() - start) }
  } finally {
    await engine.close?.()
  }
}
