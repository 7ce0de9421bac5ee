import { translate } from '../../lib/i18n.ts'
import type { ShownOutcome } from '../../ui/code-output/shown-outcome.ts'

/** Returns the result of a run as a screen reader announcement. */
export function describeEnd({ status, error }: ShownOutcome): string {
  if (status === 'ok') return translate('code.say.done')
  if (status === 'stopped') return translate('code.say.stopped')
  if (status !== 'error' || !error) return translate('code.say.failed')
  const { name, line } = error
  return line === null
    ? translate('code.say.fault', { name })
    : translate('code.say.faultLine', { name, line })
}
