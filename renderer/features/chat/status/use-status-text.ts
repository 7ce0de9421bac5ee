import { useTranslation } from 'react-i18next'
import { explainStatus } from '../../../lib/explain-fault.ts'
import type { Status } from './read-statuses.ts'

/**
 * Returns a function for the text of a step in the language of the UI. Waits for a local model are
 * found by their action, because they have no fixed text.
 */
export function useStatusText(): (status: Status) => string {
  const { t } = useTranslation()
  return ({ action, progress, description }) => {
    if (action === 'model_queued') return t('chat.status.modelQueued')
    if (action !== 'model_loading') return explainStatus(description)
    if (progress === null) return t('chat.status.modelLoading')
    const percent = Math.round((progress.done / progress.total) * 100)
    return t('chat.status.modelLoadingPercent', { percent })
  }
}
