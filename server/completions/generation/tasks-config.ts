import { tasksConfigSchema, type TasksConfig } from '#contract/generation.ts'
import type { Settings } from '../../settings/index.ts'

const KEYS: readonly string[] = Object.keys(tasksConfigSchema.shape)

/** The settings of small tasks under the names of their rows. */
export function readTasksConfig(
  settings: Pick<Settings, 'boolean' | 'integer' | 'string'>,
): TasksConfig {
  const entries = KEYS.map((key) => {
    if (key.startsWith('ENABLE_')) return [key, settings.boolean(key)]
    return [key, key.endsWith('_LENGTH') ? settings.integer(key) : settings.string(key)]
  })
  return Object.fromEntries(entries) as TasksConfig
}

/** Stores what changes; an empty prompt means the default. */
export function updateTasksConfig(
  settings: Pick<Settings, 'update'>,
  input: { readonly [K in keyof TasksConfig]?: TasksConfig[K] | null | undefined },
): void {
  const changes = Object.entries(input).filter(([, value]) => value !== undefined)
  settings.update(
    Object.fromEntries(
      changes.map(([key, value]) => [
        key,
        key.endsWith('_TEMPLATE') && value === '' ? null : value,
      ]),
    ),
  )
}
