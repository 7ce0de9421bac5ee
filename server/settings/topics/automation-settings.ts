import type { SettingDefinition } from '../setting-definition.ts'

const ONE_DAY_SECONDS = 86_400

/** Settings of scheduled prompts and calendars. */
export const automationSettings = [
  {
    key: 'ENABLE_AUTOMATIONS',
    name: 'Automations',
    searchWords: 'schedule cron repeat webhook',
    type: 'boolean',
    default: true,
    help: 'Lets people who are permitted to set up prompts that are asked on a schedule or by a call.',
  },
  {
    key: 'AUTOMATION_MAX_COUNT',
    name: 'Automations per person',
    searchWords: 'schedule limit',
    type: 'integer',
    default: 50,
    minimum: 0,
    maximum: 10_000,
    help: 'How many automations a person may have; 0 for no limit.',
  },
  {
    key: 'AUTOMATION_MIN_INTERVAL',
    name: 'Shortest time between runs of an automation',
    searchWords: 'schedule often',
    type: 'integer',
    default: 300,
    minimum: 60,
    maximum: 30 * ONE_DAY_SECONDS,
    help: 'How many seconds have to lie between two runs of a schedule.',
  },
  {
    key: 'AUTOMATION_TIMEOUT',
    name: 'Time a run of an automation may take',
    searchWords: 'schedule limit',
    type: 'integer',
    default: 900,
    minimum: 10,
    maximum: ONE_DAY_SECONDS,
    help: 'After how many seconds a run of an automation is ended.',
  },
  {
    key: 'ENABLE_CALENDAR',
    name: 'Calendars',
    searchWords: 'events appointments',
    type: 'boolean',
    default: true,
    help: 'Lets people who are permitted to keep calendars and share them.',
  },
] as const satisfies readonly SettingDefinition[]
