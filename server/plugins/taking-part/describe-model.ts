import type { Model } from '#contract/models.ts'
import type { Records } from '../records.ts'
import type { PluginRecord } from '../store.ts'
import { actionsOf, filtersOf } from './choose-functions.ts'

type Shown = NonNullable<Model['actions']>[number]

/** Returns the icon of a button. */
const iconOf = ({ description }: PluginRecord, own: string | null = null): string | null =>
  own ?? description.flags.icon

const textOf = ({ meta }: PluginRecord): string =>
  typeof meta['description'] === 'string' ? meta['description'] : ''

function toButtons(record: PluginRecord): Shown[] {
  const { actions } = record.description.flags
  const about = { description: textOf(record) }
  if (actions.length === 0)
    return [{ id: record.id, name: record.name, ...about, icon: iconOf(record) }]
  return actions.map(({ id, name, icon }) => ({
    id: `${record.id}.${id}`,
    name: name ?? record.name,
    ...about,
    icon: iconOf(record, icon),
  }))
}

/** Adds the buttons and switches of plugins to a model (docs/plugin-contract.md). */
export function createDescribeModel(records: Records): (model: Model) => Model {
  return (model) => {
    // The guide is always present and adds nothing.
    const hasFunctions = records
      .all('function')
      .some(
        ({ isActive, fault, builtIn }) => isActive && fault === null && builtIn?.kind !== 'pipe',
      )
    if (!hasFunctions) return model
    const switches = filtersOf(records, model).filter(({ description }) => description.flags.toggle)
    const pipe = records.find({ store: 'function', id: model.id.split('.', 1)[0]! })
    return {
      ...model,
      actions: actionsOf(records, model).flatMap(toButtons),
      filters: switches.map((record) => ({
        id: record.id,
        name: record.name,
        description: textOf(record),
        icon: iconOf(record),
        has_user_valves: record.description.user_valves_schema !== null,
      })),
      ...(pipe?.kind === 'pipe' &&
        pipe.builtIn === null &&
        pipe.isActive && {
          pipe: { type: 'pipe' },
          has_user_valves: pipe.description.user_valves_schema !== null,
        }),
    }
  }
}
