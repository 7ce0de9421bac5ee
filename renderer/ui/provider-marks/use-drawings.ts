import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { drawFamily, drawProvider } from './mark-drawings.ts'

interface Drawings {
  readonly drawProvider: typeof drawProvider
  readonly drawFamily: typeof drawFamily
}

const drawingsStore = createStore<{
  readonly drawings: Drawings | null
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
}>(() => ({ drawings: null, status: 'idle' }))

function load(): void {
  if (drawingsStore.getState().status !== 'idle') return
  drawingsStore.setState({ status: 'loading' })
  import('./mark-drawings.ts').then(
    (drawings) => drawingsStore.setState({ drawings, status: 'ready' }),
    // Without the drawings, pictures with a letter are shown.
    () => drawingsStore.setState({ status: 'failed' }),
  )
}

/**
 * Returns the drawings of the marks, which are loaded after the first paint that shows one; null
 * while they are loading or after a failure.
 */
export function useDrawings(): { readonly drawings: Drawings | null; readonly isAwaited: boolean } {
  const { drawings, status } = useStore(drawingsStore)
  useEffect(load, [])
  return { drawings, isAwaited: status === 'idle' || status === 'loading' }
}
