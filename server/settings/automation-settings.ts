import type { SettingDefinition } from './setting-definition.ts'

const ONE_DAY_SECONDS = 86_400

/** Settings of scheduled prompts and calendars. */
export const automationSettings = [
  {
    key: 'ENABLE_AUTOMATIONS',
    type: 'boolean',
    default: true,
    help: 'Lets people who are permitted to set up prompts that are asked on a schedule or by a call.',
  },
  {
    key: 'AUTOMATION_MAX_COUNT',
    type: 'integer',
    default: 50,
    minimum: 0,
    maximum: 10_000,
    help: 'How many automations a person may have; 0 for no limit.',
  },
  {
    key: 'AUTOMATION_MIN_INTERVAL',
    type: 'integer',
    default: 300,
    minimum: 60,
    maximum: 30 * ONE_DAY_SECONDS,
    help: 'How many seconds have to lie between two runs of a schedule.',
  },
  {
    key: 'AUTOMATION_TIMEOUT',
    type: 'integer',
    default: 900,
    minimum: 10,
    maximum: ONE_DAY_SECONDS,
    help: 'After how many seconds a run of an automation is ended.',
  },
  {
    key: 'ENABLE_CALENDAR',
    type: 'boolean',
    default: true,
    help: 'Lets people who are permitted to keep calendars and share them.',
  },
] as const satisfies readonly SettingDefinition[]
