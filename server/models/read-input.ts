import type { ModelChanges, ModelInput } from '#contract/models.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { isRecord } from '../lib/is-record.ts'
import { checkProfileImage } from './profile-image.ts'
import type { Fields } from './stored-models.ts'

type MetaInput = NonNullable<ModelInput['meta']>

/** An entry without a value is as good as none. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** The map of the reference, from whichever form came in. */
function readCapabilities({ capabilities, capability_flags }: MetaInput): Fields {
  if (isRecord(capability_flags)) return { capabilities: capability_flags }
  if (Array.isArray(capabilities)) return { capabilities: Object.fromEntries(capabilities.map((name) => [name, true])) }
  return isRecord(capabilities) ? { capabilities } : {}
}

export function readMeta(meta: MetaInput): Fields {
  checkPlainJson(meta, 'The model')
  checkProfileImage(meta.profile_image_url)
  const { capabilities: _list, capability_flags: _flags, ...rest } = meta
  return { ...withoutNulls(rest), ...readCapabilities(meta) }
}

export function readParams(params: Fields): Fields {
  checkPlainJson(params, 'The model')
  return withoutNulls(params)
}

/** What an input says about a stored model; what it does not name is left out. */
export function readChanges({ base_model_id, name, meta, params, is_active }: Omit<ModelChanges, 'id'>) {
  return {
    ...(base_model_id !== undefined && { base_model_id: base_model_id || null }),
    ...(name !== undefined && { name }),
    ...(meta && { meta: readMeta(meta) }),
    ...(params && { params: readParams(params) }),
    ...(typeof is_active === 'boolean' && { is_active }),
  }
}
