import type { ConnectionCheck } from '#contract/connections.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { measureCheck } from '../connections/connect-provider.ts'
import { parseModels } from './parse-models.ts'

/** Tests a connection by requesting its models, and returns a remedy if that fails. */
export function checkCompatible(
  upstream: Upstream,
  signal: AbortSignal,
  path = '/models',
): Promise<ConnectionCheck> {
  return measureCheck(async () => {
    const answer = await upstream
      .control({ method: 'GET', path }, signal)
      .catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'upstream_refused') {
          return Promise.reject(
            new ServiceError(
              error.status,
              `${error.message} Is the address complete? Many need /v1 at the end.`,
            ),
          )
        }
        throw error
      })
    const models = parseModels(answer)
    if (!models)
      return {
        ok: false,
        detail: 'It answered, but not with a list of models. Check the address.',
        version: null,
        models: [],
      }
    const count = models.length === 1 ? '1 model' : `${models.length} models`
    const detail =
      models.length === 0
        ? 'It answered, but offers no models to this key.'
        : `Connected. It offers ${count}.`
    return { ok: models.length > 0, detail, version: null, models: models.map((model) => model.id) }
  })
}
