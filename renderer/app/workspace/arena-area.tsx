import { useStore } from 'zustand'
import { ArenaPage } from '../../features/models/arena-page.tsx'
import { loadModels } from '../../features/models/models-store.ts'
import { principals } from '../principals.ts'
import { modelsStore } from '../stores.ts'

/** The arenas of the gateway, for administrators. */
export function ArenaArea() {
  const models = useStore(modelsStore, (state) => state.models)
  return (
    <ArenaPage
      models={models.filter((model) => model.arena !== true)}
      principals={principals}
      onChanged={() => void loadModels(modelsStore)}
    />
  )
}
