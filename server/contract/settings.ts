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

/** What a setting is about, in the order the settings page shows it. */
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
 * One setting with the origin of its value. A secret's `value` is null; `is_set` tells whether
 * there is one.
 */
export const settingSchema = z
  .object({
    key: z.string(),
    /** A `json` setting travels as its JSON text. */
    type: z.enum(['string', 'integer', 'number', 'boolean', 'list', 'json']),
    value: settingValueSchema,
    default: settingValueSchema,
    origin: z.enum(['default', 'environment', 'stored']),
    /** True when the environment wins over a stored value, so that editing has no effect. */
    locked: z.boolean(),
    /**
     * The variable of the environment that would let it be changed here; absent where there is
     * none.
     */
    locked_unless: z.string().optional(),
    secret: z.boolean(),
    is_set: z.boolean(),
    help: z.string(),
    /** The only texts it takes, or the only entries of a list. */
    allowed: z.array(z.string()).optional(),
    /** Bounds of an `integer` or `number`. */
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    /** Takes several lines of text. */
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
      summary: 'Stores values; null goes back to the environment or default.',
    },
  },
)
