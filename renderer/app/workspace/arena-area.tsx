import { useStore } from 'zustand'
import { ArenaPage } from '../../features/models/arena-page.tsx'
import { loadModels } from '../../features/models/models-store.ts'
import { RatingsSection } from '../../features/ratings/ratings-section.tsx'
import { principals } from '../person/principals.ts'
import { modelsStore } from '../stores.ts'

/** The arenas of the gateway and the ratings of answers, for administrators. */
export function ArenaArea() {
  const models = useStore(modelsStore, (state) => state.models)
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  return (
    <div className="flex flex-col gap-10">
      <ArenaPage
        models={models.filter((model) => model.arena !== true)}
        principals={principals}
        onChanged={() => void loadModels(modelsStore)}
      />
      <RatingsSection nameOf={nameOf} />
    </div>
  )
}
