import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { PluginEditor } from '../../features/plugins/plugin-editor.tsx'
import { FunctionsPage } from '../../features/plugins/functions-page.tsx'
import { functionCalls, toolCalls, type PluginDraft } from '../../features/plugins/plugin-kinds.ts'
import { createDrafts } from '../../lib/drafts.ts'
import { createPluginsStore } from '../../features/plugins/plugins-store.ts'
import { navigate, workspacePath } from '../../lib/router.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { modelsStore, sessionStore } from '../stores.ts'
import { ToolsArea } from './tools-area.tsx'

const functionsStore = createPluginsStore(functionCalls)
const drafts = {
  tools: createDrafts<PluginDraft>(),
  functions: createDrafts<PluginDraft>(),
}

/** Tools, or filters and actions: the list, or the editor of one of them. */
export function PluginsArea({ area, item }: { area: 'tools' | 'functions'; item: string | null }) {
  const admin = useStore(sessionStore, isAdmin)
  const mayOpenToAll = useStore(sessionStore, isPermitted('sharing.public_tools'))
  const calls = area === 'tools' ? toolCalls : functionCalls
  if (item !== null) {
    return (
      <PluginEditor
        key={item}
        calls={calls}
        drafts={drafts[area]}
        id={item}
        admin={admin}
        principals={principals}
        mayOpenToAll={mayOpenToAll}
        listPath={workspacePath(area)}
        onSaved={(id) => {
          void loadModels(modelsStore)
          if (item === '')
            navigate(workspacePath(area, id), { replace: true, from: workspacePath(area, '') })
        }}
      />
    )
  }
  const handleChange = (): void => void loadModels(modelsStore)
  if (area === 'tools') return <ToolsArea onChanged={handleChange} />
  return (
    <FunctionsPage
      store={functionsStore}
      calls={functionCalls}
      admin={admin}
      mayCreate={admin}
      onOpen={(id) => navigate(workspacePath('functions', id))}
      onChanged={handleChange}
    />
  )
}
