import { useStore } from 'zustand'
import { PromptsPage } from '../../features/prompts/prompts-page.tsx'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { modelsStore, promptsStore, sessionStore } from '../stores.ts'

/** The prompts of the workspace. */
export function PromptsArea() {
  const rights = {
    create: useStore(sessionStore, isPermitted('workspace.prompts')),
    import: useStore(sessionStore, isPermitted('workspace.prompts_import')),
    export: useStore(sessionStore, isPermitted('workspace.prompts_export')),
    openToAll: useStore(sessionStore, isPermitted('sharing.public_prompts')),
  }
  const models = useStore(modelsStore, (state) => state.models)
  return (
    <PromptsPage store={promptsStore} rights={rights} principals={principals} models={models} />
  )
}
