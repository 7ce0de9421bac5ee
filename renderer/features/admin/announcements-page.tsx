import '../../lib/strings/admin.ts'
import { useTranslation } from 'react-i18next'
import { loadAnnouncements } from './announcements-store.ts'
import { BannersForm } from './banners-form.tsx'
import { LoadState } from './load-state.tsx'
import { SuggestionsForm } from './suggestions-form.tsx'
import { WaitingForm } from './waiting-form.tsx'
import { useLoaded } from '../../api/use-loaded.ts'

/**
 * Texts that administrators write for users: notices, suggestions of a new chat, the page of
 * waiting accounts.
 */
export function AnnouncementsPage({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const { value: loaded, problem, reload } = useLoaded(loadAnnouncements, [])
  if (!loaded)
    return (
      <LoadState
        status={problem ? 'failed' : 'loading'}
        problem={problem}
        title={t('admin.announcements.loadFailed')}
        onRetry={reload}
      />
    )
  return (
    <>
      <BannersForm start={loaded.banners} onSaved={onChanged} />
      <SuggestionsForm start={loaded.suggestions} onSaved={onChanged} />
      <WaitingForm start={loaded.waiting} onSaved={onChanged} />
    </>
  )
}
