import { useState } from 'react'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { ConnectStep } from '../../features/connections/connect-step.tsx'
import {
  createConnectionsStore,
  findLocalRuntimes,
} from '../../features/connections/connections-store.ts'
import { FirstRun } from '../../features/first-run/first-run.tsx'
import { FirstModel } from '../../features/local-models/first-model.tsx'
import { followDownloads } from '../../features/local-models/follow-downloads.ts'
import { createLocalModelsStore } from '../../features/local-models/local-models-store.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { InstalledPrograms } from '../../features/programs/installed-programs.tsx'
import { createProgramsStore } from '../../features/programs/programs-store.ts'
import { DensityChoice, ThemeChoice } from '../../features/settings/appearance-form.tsx'
import { LanguageBox } from '../../features/settings/language-choice.tsx'
import { changePreferences } from '../../features/settings/preferences-store.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { modelsStore, preferencesStore, sessionStore } from '../stores.ts'

const connectionsStore = createConnectionsStore()
const programsStore = createProgramsStore()
const localModelsStore = followDownloads(createLocalModelsStore())

const handleProgram = (): void => {
  void connectionsStore.load()
  void findLocalRuntimes(connectionsStore)
}
const refreshModels = (): void => void loadModels(modelsStore, { refresh: true })
const handleFirstModel = (): void => void connectionsStore.load()

/** The guide for first-time users. */
export function FirstRunScreen() {
  const admin = useStore(sessionStore, isAdmin)
  const name = useStore(sessionStore, (state) => state.user?.name) ?? ''
  const local = useStore(sessionStore, (state) => state.config?.mode === 'desktop')
  const [isReady, setReady] = useState(false)
  const handleDone = (): void => changePreferences(preferencesStore, { welcomed: true }, toastError)
  return (
    <FirstRun
      userName={name}
      local={local}
      connect={
        admin
          ? {
              isReady,
              onContinue: refreshModels,
              render: (next) => (
                <>
                  <ConnectStep
                    store={connectionsStore}
                    onReady={setReady}
                    onConnected={() => {
                      refreshModels()
                      next()
                    }}
                  />
                  <InstalledPrograms store={programsStore} onChanged={handleProgram} />
                  <FirstModel store={localModelsStore} onChanged={handleFirstModel} />
                </>
              ),
            }
          : null
      }
      appearance={
        <>
          <ThemeChoice store={preferencesStore} />
          <DensityChoice store={preferencesStore} />
        </>
      }
      language={<LanguageBox store={preferencesStore} />}
      onDone={handleDone}
    />
  )
}
