import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isAborted } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { AutomationsPage } from '../../features/automations/automations-page.tsx'
import { createAutomationsStore } from '../../features/automations/automations-store.ts'
import { loadFolders } from '../../features/folders/folders-store.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { isPermitted, mayUseFolders } from '../person/permissions.ts'
import { foldersStore, modelsStore, sessionStore } from '../stores.ts'

const automationsStore = createAutomationsStore()

/**
 * Returns the tools a run may use; a run has no window, so servers only reachable by this browser
 * are left out.
 */
function useTools(): readonly { readonly id: string; readonly name: string }[] | null {
  const [tools, setTools] = useState<readonly { id: string; name: string }[] | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    call(endpoints.tools.list, {}, { signal: abort.signal })
      .then(setTools)
      .catch((thrown: unknown) => {
        if (!isAborted(thrown)) toastError(thrown)
      })
    return () => abort.abort()
  }, [])
  return tools
}

/** The automations of the workspace. */
export function AutomationsArea() {
  const models = useStore(modelsStore, (state) => state.models)
  const folders = useStore(foldersStore, (state) => state.folders)
  const tools = useTools()
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
      choices={{ models, folders: hasFolders ? folders : [], tools, mayUseWeb: isWebOn }}
    />
  )
}
