import { translate } from '../../lib/i18n.ts'
import type { CellProgress } from './interpreter.ts'

/** Describes the progress of a run as text. */
export function describeProgress(progress: CellProgress): string {
  if (progress.phase === 'package') return translate('code.phase.package', { name: progress.name })
  if (progress.phase !== 'fetching') return translate(`code.phase.${progress.phase}`)
  if (progress.part === null) return translate('code.phase.fetching')
  return translate('code.phase.fetchingPart', { part: Math.floor(progress.part * 100) })
}
