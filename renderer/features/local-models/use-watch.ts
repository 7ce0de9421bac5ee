import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { isMoving, loadLocalModels, type LocalModelsStore } from './local-models-store.ts'

const LOOK_MILLISECONDS = 1000

/** Polls while a download is running, and reports when the models have changed. */
export function useWatch({
  store,
  onChanged,
}: {
  store: LocalModelsStore
  onChanged: () => void
}): void {
  const moving = useStore(store, isMoving)
  const count = useStore(store, ({ engine }) => engine?.models.length ?? null)
  const known = useRef<number | null>(null)
  useEffect(() => void loadLocalModels(store), [store])
  useEffect(() => {
    if (!moving) return undefined
    const timer = setInterval(() => void loadLocalModels(store), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [moving, store])
  useEffect(() => {
    if (known.current !== null && count !== null && count !== known.current) onChanged()
    known.current = count
  }, [count, onChanged])
}
