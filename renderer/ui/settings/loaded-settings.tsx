import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Setting } from '#contract/settings.ts'
import { toast } from '../floating/toast.tsx'
import { PageWait } from '../layout/page-wait.tsx'
import { FailedLine } from '../lists/failed-line.tsx'
import {
  loadSettings,
  saveSettings,
  type SaveSettings,
  type SettingsStore,
} from './settings-store.ts'

interface LoadedSettingsProps {
  readonly store: SettingsStore
  readonly failedTitle: string
  readonly onChanged: () => void
  readonly children: (settings: ReadonlyMap<string, Setting>, save: SaveSettings) => ReactNode
}

/** Loads the settings of the gateway for the content of a page, which can save them. */
export function LoadedSettings({ store, failedTitle, onChanged, children }: LoadedSettingsProps) {
  const { t } = useTranslation()
  const { settings, problem } = useStore(store)
  useEffect(() => void loadSettings(store), [store])
  if (problem !== null)
    return (
      <FailedLine title={failedTitle} problem={problem} onRetry={() => void loadSettings(store)} />
    )
  if (settings === null) return <PageWait />
  return children(settings, async (values) => {
    await saveSettings(store, values)
    toast({ text: t('common.saved') })
    onChanged()
  })
}
