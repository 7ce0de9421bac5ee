import { useEffect, useState } from 'react'
import { call, endpoints } from '../../api/client.ts'

interface ImageModel {
  readonly id: string
  readonly name: string
}

/**
 * Models of the stored engine, asked for anew whenever `version` is another; none for null, and
 * where the engine does not tell.
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
