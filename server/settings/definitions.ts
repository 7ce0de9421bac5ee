import type { output, ZodType } from 'zod'
import type { SettingGroup, SettingValue } from '#contract/settings.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { audioSettings } from './topics/audio-settings.ts'
import { automationSettings } from './topics/automation-settings.ts'
import { codeSettings } from './topics/code-settings.ts'
import { imageSettings } from './topics/image-settings.ts'
import { intakeSettings } from './topics/intake-settings.ts'
import { modelSettings } from './topics/model-settings.ts'
import { documentSettings } from './topics/document-settings.ts'
import { outgoingSettings } from './topics/outgoing-settings.ts'
import { pluginSettings } from './topics/plugin-settings.ts'
import { taskSettings } from './topics/task-settings.ts'
import { toolSettings } from './topics/tool-settings.ts'
import { accounts, announcements, features } from './topics/people-settings.ts'
import { ldapSettings, openDoor, provisioning, trustedHeaders } from './topics/sign-in-settings.ts'
import { sharingSettings } from './topics/sharing-settings.ts'
import { singleSignOnSettings } from './topics/single-sign-on-settings.ts'
import { timeMachineSettings } from './topics/time-machine-settings.ts'
import { webSettings } from './topics/web-settings.ts'
import { appearance } from './topics/appearance-settings.ts'
import { connections, timeouts } from './topics/connection-settings.ts'
import { signIn } from './topics/entry-settings.ts'
import { apiKeys } from './topics/key-settings.ts'
import { network } from './topics/network-settings.ts'
import { operation, requestLog } from './topics/operation-settings.ts'

const inGroup = <Lists extends readonly (readonly SettingDefinition[])[]>(
  group: SettingGroup,
  ...lists: Lists
): Lists[number][number][] => lists.flat().map((definition) => ({ group, ...definition }))

/**
 * All settings: environment parsing, stored override, admin API, form and documentation are derived
 * from their rows.
 */
const rows = [
  ...inGroup('sign-in', signIn, accounts, ldapSettings, openDoor, trustedHeaders, provisioning),
  ...inGroup('single-sign-on', singleSignOnSettings),
  ...inGroup('keys', apiKeys),
  ...inGroup('network', network, outgoingSettings, sharingSettings, intakeSettings),
  ...inGroup('appearance', appearance, announcements),
  ...inGroup('features', features, automationSettings),
  ...inGroup('models', modelSettings),
  ...inGroup('tasks', taskSettings),
  ...inGroup('documents', documentSettings),
  ...inGroup('web', webSettings),
  ...inGroup('images', imageSettings),
  ...inGroup('audio', audioSettings),
  ...inGroup('plugins', pluginSettings),
  ...inGroup('code', codeSettings),
  ...inGroup('connections', connections, timeouts, toolSettings),
  ...inGroup('requests', requestLog),
  ...inGroup('operation', timeMachineSettings, operation),
] satisfies readonly SettingDefinition[]

export const settingDefinitions: readonly SettingDefinition[] = rows

type Row = (typeof rows)[number]

/** Type of a row's value: the output of its schema, one of its choices, or its plain type. */
type ValueOf<Definition extends SettingDefinition> = Definition extends {
  readonly json: { readonly schema: infer Schema extends ZodType }
}
  ? output<Schema>
  : Definition extends { readonly type: 'boolean' }
    ? boolean
    : Definition extends { readonly type: 'integer' | 'number' }
      ? number
      : Definition extends { readonly type: 'list' }
        ? readonly string[]
        : Definition extends { readonly allowed: readonly (infer Choice)[] }
          ? Choice
          : string

/** The value of every setting by its name. */
export type SettingValues = { readonly [Each in Row as Each['key']]: ValueOf<Each> }

/** Name of a setting, or of one whose value has a given type. */
export type SettingName<Value = unknown> = {
  [Name in keyof SettingValues]: SettingValues[Name] extends Value ? Name : never
}[keyof SettingValues]

/** Returns the default of one row for the mode in which the gateway was started. */
export function defaultOf(
  { default: value }: SettingDefinition,
  mode: 'desktop' | 'server',
): SettingValue {
  return typeof value === 'object' && value !== null && 'desktop' in value ? value[mode] : value
}
