import { useTranslation } from 'react-i18next'
import type { Status } from './read-statuses.ts'

/**
 * Returns a function for the text of a step. Waits for a local model are translated; other steps
 * come with their text.
 */
export function useStatusText(): (status: Status) => string {
  const { t } = useTranslation()
  return ({ action, progress, description }) => {
    if (action === 'model_queued') return t('chat.status.modelQueued')
    if (action !== 'model_loading') return description
    if (progress === null) return t('chat.status.modelLoading')
    const percent = Math.round((progress.done / progress.total) * 100)
    return t('chat.status.modelLoadingPercent', { percent })
  }
}
