import { useEffect } from 'react'
import { useStore } from 'zustand'
import { AutomationsPage } from '../../features/automations/automations-page.tsx'
import { createAutomationsStore } from '../../features/automations/automations-store.ts'
import { loadFolders } from '../../features/folders/folders-store.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { isPermitted, mayUseFolders } from '../permissions.ts'
import { foldersStore, modelsStore, sessionStore } from '../stores.ts'

const automationsStore = createAutomationsStore()

/** The automations of the workspace. */
export function AutomationsArea() {
  const models = useStore(modelsStore, (state) => state.models)
  const folders = useStore(foldersStore, (state) => state.folders)
  const hasFolders = useStore(sessionStore, mayUseFolders)
  const isWebOn = useStore(
    sessionStore,
    (state) =>
      state.config?.features['enable_web_search'] === true &&
      isPermitted('features.web_search')(state),
  )
  useEffect(() => {
    void loadModels(modelsStore)
    if (hasFolders) void loadFolders(foldersStore)
  }, [hasFolders])
  return (
    <AutomationsPage
      store={automationsStore}
      choices={{ models, folders: hasFolders ? folders : [], mayUseWeb: isWebOn }}
    />
  )
}
