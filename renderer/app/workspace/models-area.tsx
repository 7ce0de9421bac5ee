import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { KnowledgePicker } from '../../features/knowledge/knowledge-picker.tsx'
import { createCatalogueStore, findRow } from '../../features/models/catalogue-store.ts'
import { createDrafts, keepDraft } from '../../lib/drafts.ts'
import type { ModelEntry } from '../../features/models/list-entries.ts'
import { type ModelDraft, toBaseDraft, toCopy, toDraft } from '../../features/models/model-draft.ts'
import { ModelEditor } from '../../features/models/model-editor.tsx'
import { loadModels, pinModels, suggestModels } from '../../features/models/models-store.ts'
import { ModelsPage } from '../../features/models/models-page.tsx'
import { navigate, workspacePath } from '../../lib/router.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { modelsStore, sessionStore } from '../stores.ts'
import { streamAnswer } from '../chats/stream-answer.ts'

const catalogueStore = createCatalogueStore()
const draftsStore = createDrafts<ModelDraft>()

const open = (id: string): void => navigate(workspacePath('models', id))

/** Reloads the model pickers after changes made here. */
function refreshModels(): void {
  const { config } = catalogueStore.getState()
  if (config) {
    suggestModels(modelsStore, config.DEFAULT_MODELS)
    pinModels(modelsStore, config.DEFAULT_PINNED_MODELS)
  }
  void loadModels(modelsStore)
}

function startCopy({ id, base }: ModelEntry): void {
  const row = findRow(catalogueStore.getState(), id)
  const start = row ? toDraft(row) : base && toBaseDraft(base)
  if (start) keepDraft(draftsStore, '', toCopy(start))
  open('')
}

/** The models of the workspace: the list, or the editor of one of them. */
export function ModelsArea({ item }: { item: string | null }) {
  const admin = useStore(sessionStore, isAdmin)
  const available = useStore(modelsStore, (state) => state.models)
  const rights = {
    admin,
    create: useStore(sessionStore, isPermitted('workspace.models')),
    import: useStore(sessionStore, isPermitted('workspace.models_import')),
    export: useStore(sessionStore, isPermitted('workspace.models_export')),
    openToAll: useStore(sessionStore, isPermitted('sharing.public_models')),
  }
  if (item !== null) {
    return (
      <ModelEditor
        store={catalogueStore}
        drafts={draftsStore}
        id={item}
        admin={admin}
        mayOpenToAll={rights.openToAll}
        available={available}
        principals={principals}
        stream={streamAnswer}
        pickKnowledge={(value, onChange) => <KnowledgePicker value={value} onChange={onChange} />}
        onSaved={({ id }) => {
          refreshModels()
          if (item === '')
            navigate(workspacePath('models', id), {
              replace: true,
              from: workspacePath('models', ''),
            })
        }}
      />
    )
  }
  return (
    <ModelsPage
      store={catalogueStore}
      rights={rights}
      available={available}
      onOpen={open}
      onCreate={() => open('')}
      onCopy={startCopy}
      onChanged={refreshModels}
    />
  )
}
