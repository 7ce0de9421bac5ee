import '../../lib/strings/admin.ts'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { type Announcements, loadAnnouncements } from './announcements-store.ts'
import { BannersForm } from './banners-form.tsx'
import { LoadState } from './load-state.tsx'
import { SuggestionsForm } from './suggestions-form.tsx'
import { WaitingForm } from './waiting-form.tsx'

/**
 * Texts that administrators write for users: notices, suggestions of a new chat, the page of
 * waiting accounts.
 */
export function AnnouncementsPage({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const [loaded, setLoaded] = useState<Announcements | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = useCallback(() => {
    loadAnnouncements().then(setLoaded, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  useEffect(load, [load])
  if (!loaded) {
    return (
      <LoadState
        status={problem ? 'failed' : 'loading'}
        problem={problem}
        title={t('admin.announcements.loadFailed')}
        onRetry={() => {
          setProblem(null)
          load()
        }}
      />
    )
  }
  return (
    <>
      <BannersForm start={loaded.banners} onSaved={onChanged} />
      <SuggestionsForm start={loaded.suggestions} onSaved={onChanged} />
      <WaitingForm start={loaded.waiting} onSaved={onChanged} />
    </>
  )
}
