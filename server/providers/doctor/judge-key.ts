import { CONNECTION_KINDS } from '#contract/connection-kinds.ts'
import type { DoctorFinding } from '#contract/doctor.ts'
import type { ConnectionRecord } from '../connections/connection-record.ts'
import type { Answer } from './ask-models.ts'
import { bad, good, look, skipped } from './finding.ts'

const ASK_AGAIN = [{ kind: 'key' }] as const

/** Judges whether the server accepts the key. */
export function judgeKey(
  { key, isLocked }: Pick<ConnectionRecord, 'key' | 'isLocked'>,
  answer: Answer,
): DoctorFinding {
  if (isLocked)
    return bad('key', {
      code: 'key_unreadable',
      text: 'The stored key cannot be read, because it was saved under another secret.',
      advice: 'Enter the key again.',
      mends: ASK_AGAIN,
    })
  const status = answer.kind === 'reply' ? answer.status : 0
  if (status === 401 && key === null)
    return bad('key', {
      code: 'key_missing',
      text: 'The server wants a key, and the connection has none.',
      advice: 'Enter the key; the provider shows it in your account there.',
      mends: ASK_AGAIN,
    })
  if (status === 401)
    return bad('key', {
      code: 'key_refused',
      text: 'The server does not know the key (status 401).',
      advice: 'Copy it again, whole and without spaces. It may have been revoked.',
      mends: ASK_AGAIN,
    })
  if (status === 403)
    return bad('key', {
      code: 'key_forbidden',
      text: 'The server knows the caller, but permits nothing (status 403).',
      advice:
        'Use a key that may call models, and check that the account there is in good standing.',
      mends: ASK_AGAIN,
    })
  if (answer.kind === 'fault') return skipped('key', 'not_asked', 'The server did not answer.')
  return key === null
    ? good('key', 'no_key_needed', 'The server wants no key.')
    : good('key', 'key_accepted', 'The server takes the key.')
}

const few = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '')

/** Judges whether there are models, and whether those named in the connection are among them. */
export function judgeModels(
  { kind, model_ids: named }: Pick<ConnectionRecord, 'kind' | 'model_ids'>,
  answer: Answer,
): DoctorFinding {
  if (answer.kind === 'fault' || answer.form !== 'models')
    return skipped('models', 'not_asked', 'The server did not list its models.')
  const { models } = answer
  if (models.length === 0)
    return bad('models', {
      code: 'no_models',
      text: 'The server answers, but has no model.',
      advice: CONNECTION_KINDS[kind].isRuntime
        ? 'Install a model in it first.'
        : 'Load a model there, or ask the provider which models the account may use.',
    })
  const there = new Set(models)
  const missing = named.filter((id) => !there.has(id))
  const left = named.filter((id) => there.has(id))
  if (missing.length === 0) {
    const text = models.length === 1 ? 'It offers 1 model.' : `It offers ${models.length} models.`
    return good('models', 'models', text)
  }
  const found = {
    code: 'models_missing',
    text: `The server no longer has ${few(missing)}.`,
    advice: left.length === 0 ? 'Show all models it has.' : 'Take them out of the list.',
    mends: [{ kind: 'models', model_ids: left }] as const,
  }
  return left.length === 0 ? bad('models', found) : look('models', found)
}
