import { tasksConfigSchema, type TasksConfig } from '#contract/generation.ts'
import { pickSettings, type GatewaySettings, type Settings } from '../../settings/index.ts'

const KEYS = Object.keys(tasksConfigSchema.shape) as (keyof TasksConfig)[]

/** Returns the settings of small tasks under the names of their rows. */
export const readTasksConfig = (settings: Settings<keyof TasksConfig>): TasksConfig =>
  pickSettings(settings, KEYS)

/** Returns these settings without models the caller may not name. */
export function showTasksConfig(
  settings: Settings<keyof TasksConfig>,
  mayName: (id: string) => boolean,
): TasksConfig {
  const config = readTasksConfig(settings)
  const named = (id: string): string => (mayName(id) ? id : '')
  return {
    ...config,
    TASK_MODEL: named(config.TASK_MODEL),
    TASK_MODEL_EXTERNAL: named(config.TASK_MODEL_EXTERNAL),
  }
}

/** Stores the changed settings; an empty prompt means the default. */
export async function updateTasksConfig(
  settings: Pick<GatewaySettings, 'update'>,
  input: { readonly [K in keyof TasksConfig]?: TasksConfig[K] | null | undefined },
): Promise<void> {
  const changes = Object.entries(input).filter(([, value]) => value !== undefined)
  await settings.update(
    Object.fromEntries(
      changes.map(([key, value]) => [
        key,
        key.endsWith('_TEMPLATE') && value === '' ? null : value,
      ]),
    ),
  )
}
