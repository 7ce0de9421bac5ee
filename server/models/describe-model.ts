import type { Model, ModelInfo } from '#contract/models.ts'
import type { OfferedModel } from '../providers/index.ts'

const isLocal = ({ model, provider }: OfferedModel): boolean => provider.type === 'local' && model.leavesComputer !== true

/** A model as lists show it. */
export function toEntry(offered: OfferedModel): Model {
  const { model, provider } = offered
  return {
    id: offered.publicId,
    name: model.name,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    connection_type: isLocal(offered) ? 'local' : 'external',
    connection_name: provider.name,
    tags: [],
    info: { meta: { ...(model.description !== null && { description: model.description }), capabilities: { ...model.capabilities } } },
    actions: [],
    filters: [],
  }
}

/** A model in detail (specification, Resources › Model). */
export function toInfo({ publicId, model }: OfferedModel): ModelInfo {
  return {
    id: publicId,
    name: model.name,
    model: model.id,
    base_model_id: null,
    meta: {
      description: model.description,
      capabilities: Object.keys(model.capabilities).filter((name) => model.capabilities[name]),
      capability_flags: { ...model.capabilities },
      context_length: model.contextLength,
      max_output_tokens: model.maxOutputTokens,
    },
    params: {},
    user_id: '',
    is_active: true,
    access_grants: [],
    access_control: {},
    write_access: false,
    created_at: model.created,
    updated_at: model.created,
  }
}
