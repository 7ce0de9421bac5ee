import { useStore } from 'zustand'
import { PricesPage } from '../../features/models/prices-page.tsx'
import { modelsStore } from '../stores.ts'

/** Prices of models, for administrators. */
export function PricesArea() {
  const models = useStore(modelsStore, (state) => state.models)
  return (
    <PricesPage models={models.filter((model) => model.preset !== true && model.arena !== true)} />
  )
}
