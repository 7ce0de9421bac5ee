import { pluginEnvironment, pluginPython } from '../../server/testing/plugin-python.ts'
import { startGateway, type BenchGateway } from './gateway.ts'
import { DRIVER_CORE, PROXY_CORE, startScript, type Spawned } from './spawned.ts'

/** A gateway with real plugin processes, in front of the scripted model server. */
export interface PluginField {
  readonly gateway: BenchGateway
  readonly driver: Spawned
  /** The interpreter, for baselines. */
  readonly python: string
  stop(): Promise<void>
}

export const NO_PYTHON =
  'no Python 3.11 to 3.13 with pydantic here: install one to measure plugins.'

/**
 * Returns null if there is no Python. The plugin process runs on the core of the gateway, which
 * starts it.
 */
export async function startPluginField(): Promise<PluginField | null> {
  if (pluginPython === null) return null
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const driver = await startScript('driver.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    environment: { ...pluginEnvironment, LOG_LEVEL: 'error' },
  })
  return {
    gateway,
    driver,
    python: pluginPython,
    async stop() {
      await Promise.all([gateway.stop(), driver.stop()])
      await model.stop()
    },
  }
}
