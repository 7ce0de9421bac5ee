import { badRequest } from '../lib/errors.ts'
import type { Providers } from '../providers/index.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'

/**
 * Makes the local runtime unload a model from memory; throws 400 for a model of another connection.
 */
export async function unloadModel(
  providers: Providers,
  { model, provider }: ResolvedModel,
  signal: AbortSignal,
): Promise<void> {
  const backend = providers
    .backends('runtime')
    .find(({ connectionId }) => connectionId === provider.connectionId)
  if (!backend)
    throw badRequest('Only models of a local runtime can be unloaded.', { code: 'not_local' })
  const body = { model: model.id, keep_alive: 0, stream: false }
  await backend.control({ method: 'POST', path: '/api/generate', body }, signal)
}
