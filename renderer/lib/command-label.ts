import type { TFunction } from 'i18next'

/** Returns the translated name of a command of the registry. */
export const commandLabel = (t: TFunction, id: string): string =>
  t(`commands.label.${id}` as 'commands.palette')
