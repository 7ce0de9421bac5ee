import type { AnyEndpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { forbidden } from '../../lib/errors.ts'
import type { StoredKey } from './api-key-store.ts'

/** Endpoints by which a key would get round its own limits. */
interface Escape {
  readonly endpoints: readonly AnyEndpoint[]
  readonly concerns: (key: StoredKey) => boolean
  readonly refusal: string
}

const { auths, automations, evaluations, models, sharing, users } = endpoints

/** Returns true if a key may ask only some models, or only so much in a day. */
const isCapped = ({ limits }: StoredKey): boolean =>
  limits !== null &&
  (limits.allowed_models ?? limits.daily_requests ?? limits.daily_tokens) !== null

const ESCAPES: readonly Escape[] = [
  {
    // Another account, role or password.
    endpoints: [auths.addUser, users.update, users.updateRole, users.updateRoleOf],
    concerns: ({ limits }) => limits !== null,
    refusal: 'A key with limits cannot change accounts. Sign in to do that.',
  },
  {
    // The gateway asks models later, without the key.
    endpoints: (['create', 'update', 'toggle', 'run', 'createAddress'] as const).map(
      (name) => automations[name],
    ),
    concerns: isCapped,
    refusal:
      'An automation runs without the limits of this key. Sign in to set one up or to start it.',
  },
  {
    // The guest asks the models of the pass, without the key.
    endpoints: [sharing.createPass],
    concerns: isCapped,
    refusal: 'A guest asks models without the limits of this key. Sign in to create a pass.',
  },
  {
    // Any model could answer under a name that the key may use.
    endpoints: [models.create, models.update, models.import, models.sync, evaluations.updateConfig],
    concerns: ({ limits }) => Boolean(limits?.allowed_models),
    refusal: 'A key for some models cannot create or change models. Sign in to do that.',
  },
]

const BY_ENDPOINT: ReadonlyMap<string, Escape> = new Map(
  ESCAPES.flatMap((escape) => escape.endpoints.map(({ id }) => [id, escape] as const)),
)

/** Throws 403 for a key with limits at an endpoint by which it would get round them. */
export function requireUnescaped(key: StoredKey, endpoint: Pick<AnyEndpoint, 'id'>): void {
  const escape = BY_ENDPOINT.get(endpoint.id)
  if (escape?.concerns(key)) throw forbidden(escape.refusal, { code: 'key_limited' })
}
