import type { ModelChanges, ModelInput } from '#contract/models.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { isRecord } from '../lib/is-record.ts'
import { checkProfileImage, isImageAddress } from './profile-image.ts'
import type { Fields } from './stored-model.ts'

type MetaInput = NonNullable<ModelInput['meta']>

/** An entry without a value counts as absent. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )

/** Returns the reference system's map, from either input format. */
function readCapabilities({ capabilities, capability_flags }: MetaInput): Fields {
  if (isRecord(capability_flags)) return { capabilities: capability_flags }
  if (Array.isArray(capabilities))
    return { capabilities: Object.fromEntries(capabilities.map((name) => [name, true])) }
  return isRecord(capabilities) ? { capabilities } : {}
}

/**
 * Returns the image; if the input has only the image URL from a list, the previous image is kept.
 */
function readPicture(picture: unknown, before: Fields): Fields {
  const address = isImageAddress(picture) ? before['profile_image_url'] : picture
  checkProfileImage(address)
  return { profile_image_url: address }
}

function readMeta(meta: MetaInput, before: Fields): Fields {
  checkPlainJson(meta, 'The model')
  const { capabilities: _list, capability_flags: _flags, profile_image_url, ...rest } = meta
  return withoutNulls({
    ...rest,
    ...readCapabilities(meta),
    ...readPicture(profile_image_url, before),
  })
}

function readParams(params: Fields): Fields {
  checkPlainJson(params, 'The model')
  return withoutNulls(params)
}

/**
 * Returns the changes in an input for a model with this meta; fields it does not name are left out.
 */
export function readChanges(
  { base_model_id, name, meta, params, is_active }: Omit<ModelChanges, 'id'>,
  before: Fields = {},
) {
  return {
    ...(base_model_id !== undefined && { base_model_id: base_model_id || null }),
    ...(name !== undefined && { name }),
    ...(meta && { meta: readMeta(meta, before) }),
    ...(params && { params: readParams(params) }),
    ...(typeof is_active === 'boolean' && { is_active }),
  }
}
