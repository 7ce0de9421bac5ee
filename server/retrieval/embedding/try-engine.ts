import type { Providers } from '../../providers/index.ts'
import type { SettingValues } from '../../settings/index.ts'
import { chooseEngine, type EngineSettingName, type EngineSettings } from './choose-engine.ts'

/** Result of requesting one vector from an engine. */
export interface EngineTrial {
  readonly dimensions: number
  readonly milliseconds: number
}

/** Values tried instead of the current ones; an empty secret means the stored one. */
export type TriedValues = Readonly<Partial<Pick<SettingValues, EngineSettingName>>>

const SAMPLE = 'How is the machine cleaned?'

/**
 * Requests one vector from the engine that the given values would select, without storing them.
 * Throws its `ServiceError` if it fails.
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
