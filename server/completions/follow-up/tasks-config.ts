import { tasksConfigSchema, type TasksConfig } from '#contract/generation.ts'
import { pickSettings, type GatewaySettings, type Settings } from '../../settings/index.ts'

const KEYS = Object.keys(tasksConfigSchema.shape) as (keyof TasksConfig)[]

/** Returns the settings of small tasks under the names of their rows. */
export const readTasksConfig = (settings: Settings<keyof TasksConfig>): TasksConfig =>
  pickSettings(settings, KEYS)

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
