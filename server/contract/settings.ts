import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

export const settingValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.null(),
])
export type SettingValue = z.output<typeof settingValueSchema>

/** Groups of settings, in the order of the settings page. */
export const SETTING_GROUPS = Object.freeze([
  'sign-in',
  'single-sign-on',
  'keys',
  'network',
  'appearance',
  'features',
  'models',
  'tasks',
  'documents',
  'web',
  'images',
  'audio',
  'plugins',
  'code',
  'connections',
  'requests',
  'operation',
] as const)
export type SettingGroup = (typeof SETTING_GROUPS)[number]

/**
 * Setting with the origin of its value. A secret's `value` is null; `is_set` states whether there
 * is one.
 */
export const settingSchema = z
  .object({
    key: z.string(),
    /** A `json` setting is sent as its JSON text. */
    type: z.enum(['string', 'integer', 'number', 'boolean', 'list', 'json']),
    value: settingValueSchema,
    default: settingValueSchema,
    origin: z.enum(['default', 'environment', 'stored']),
    /** True if the environment overrides a stored value, so that editing has no effect. */
    locked: z.boolean(),
    /** Environment variable that would allow changes here; absent if there is none. */
    locked_unless: z.string().optional(),
    secret: z.boolean(),
    is_set: z.boolean(),
    help: z.string(),
    /** Allowed texts, or allowed entries of a list. */
    allowed: z.array(z.string()).optional(),
    /** Bounds of an `integer` or `number`. */
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    /** True if it accepts several lines of text. */
    long: z.boolean().optional(),
    group: z.enum(SETTING_GROUPS),
  })
  .meta({ id: 'Setting' })
export type Setting = z.output<typeof settingSchema>

export const settingEndpoints = defineEndpoints(
  { domain: 'settings', tag: 'Settings', root: '/api/v1/settings' },
  {
    list: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: z.array(settingSchema),
      summary: 'Every setting, its value and where the value comes from.',
    },
    update: {
      method: 'POST',
      path: '',
      auth: 'admin',
      body: z.object({ values: z.record(z.string().max(100), settingValueSchema) }),
      response: z.array(settingSchema),
      errors: [400],
      summary: "Stores values; null restores the environment's or the default.",
    },
  },
)
