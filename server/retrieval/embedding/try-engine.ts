import { timedOut } from '../../lib/errors.ts'
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
/** Enough for a runtime that loads the model first. */
const TRIAL_MILLISECONDS = 60_000

/**
 * Requests one vector from the engine that the given values would select, without storing them.
 * Throws its `ServiceError` if it fails, and 504 after 60 s.
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
  const limit = AbortSignal.timeout(TRIAL_MILLISECONDS)
  try {
    const [vector] = await engine.embed([SAMPLE], 'query', AbortSignal.any([signal, limit]))
    return { dimensions: vector!.length, milliseconds: Math.round(performance.now() - start) }
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error
    throw timedOut(
      'The embedding model did not answer within a minute. Check that its server is running and has memory for it, then try again.',
      { cause: error },
    )
  } finally {
    await engine.close?.()
  }
}
