import { useEffect, useState } from 'react'
import { call, endpoints } from '../../api/client.ts'

interface ImageModel {
  readonly id: string
  readonly name: string
}

/**
 * Returns the models of the saved engine, reloaded whenever `version` changes; none for null, or if
 * the engine does not list them.
 */
export function useModels(version: unknown): readonly ImageModel[] {
  const [models, setModels] = useState<readonly ImageModel[]>([])
  useEffect(() => {
    if (version === null) return
    const abort = new AbortController()
    call(endpoints.images.models, {}, { signal: abort.signal }).then(setModels, () => undefined)
    return () => abort.abort()
  }, [version])
  return version === null ? [] : models
}
