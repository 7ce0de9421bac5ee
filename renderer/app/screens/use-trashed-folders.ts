import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { TrashedFolder } from '#contract/folders.ts'
import { call, endpoints } from '../../api/client.ts'
import { mayUseFolders } from '../person/permissions.ts'
import { sessionStore } from '../stores.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

/** Returns deleted folders; none if folders are disabled. A new `turn` reloads them. */
export function useTrashedFolders(turn: number): readonly TrashedFolder[] {
  const isOn = useStore(sessionStore, mayUseFolders)
  const [folders, setFolders] = useState<readonly TrashedFolder[]>([])
  useEffect(() => {
    if (!isOn) return
    const abort = new AbortController()
    const tell = tellFailure('folders.trashedFailed')
    call(endpoints.folders.trash, {}, { signal: abort.signal }).then(
      setFolders,
      (thrown: unknown) => {
        if (!abort.signal.aborted) tell(thrown)
      },
    )
    return () => abort.abort()
  }, [isOn, turn])
  return folders
}
