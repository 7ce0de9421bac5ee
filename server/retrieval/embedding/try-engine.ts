import type { Providers } from '../../providers/index.ts'
import type { SettingValues } from '../../settings/index.ts'
import { chooseEngine, type EngineSettingName, type EngineSettings } from './choose-engine.ts'

/** What came of asking an engine for one vector. */
export interface EngineTrial {
  readonly dimensions: number
  readonly milliseconds: number
}

/** Values tried in the place of those that are set; an empty secret is the stored one. */
export type TriedValues = Readonly<Partial<Pick<SettingValues, EngineSettingName>>>

const SAMPLE = 'How is the machine cleaned?'

/**
 * Asks the engine that some values would choose for one vector, without storing them. Throws its
 * `ServiceError` when it cannot.
 */
export async function tryEngine(
  { settings, providers }: { settings: EngineSettings; providers: Providers },
  values: TriedValues,
  signal: AbortSignal,
): Promise<EngineTrial> {
  const tried: EngineSettings = {
    get: (key) => {
      const value = values[key]
      const isKept = value === undefined || (value === '' && key.endsWith('_API_KEY'))
      return isKept ? settings.get(key) : value
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
