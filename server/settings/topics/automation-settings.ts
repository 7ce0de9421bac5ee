import { integer, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const ONE_DAY_SECONDS = 86_400

/** Settings of scheduled prompts and calendars. */
export const automationSettings = [
  toggle('ENABLE_AUTOMATIONS', true, {
    name: 'Automations',
    searchWords: 'schedule cron repeat webhook',
    help: 'Lets people who are permitted to set up prompts that are asked on a schedule or by a call.',
  }),
  integer('AUTOMATION_MAX_COUNT', 50, [0, 10_000], {
    name: 'Automations per person',
    searchWords: 'schedule limit',
    help: 'How many automations a person may have; 0 for no limit.',
  }),
  integer('AUTOMATION_MIN_INTERVAL', 300, [60, 30 * ONE_DAY_SECONDS], {
    name: 'Shortest time between runs of an automation',
    searchWords: 'schedule often',
    help: 'How many seconds have to lie between two runs of a schedule.',
  }),
  integer('AUTOMATION_TIMEOUT', 900, [10, ONE_DAY_SECONDS], {
    name: 'Time a run of an automation may take',
    searchWords: 'schedule limit',
    help: 'After how many seconds a run of an automation is ended.',
  }),
  toggle('ENABLE_CALENDAR', true, {
    name: 'Calendars',
    searchWords: 'events appointments',
    help: 'Lets people who are permitted to keep calendars and share them.',
  }),
] as const satisfies readonly SettingDefinition[]
