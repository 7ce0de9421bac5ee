import type { Automation } from '#contract/automations.ts'
import { translate } from '../../lib/i18n.ts'

/** The name of an automation on screen; clients may create them without one. */
export const nameOf = ({ name }: Pick<Automation, 'name'>): string =>
  name.trim() || translate('automations.untitled')
