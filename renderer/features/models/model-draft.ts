import type { AccessGrant } from '#contract/access.ts'
import type { Model, ModelInput, ModelRow } from '#contract/models.ts'
import { translate } from '../../lib/i18n.ts'
import { asText } from '../../lib/as-text.ts'
import { isRecord } from '../../lib/fields.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A model in the form's representation. Parameters and meta preserve fields unknown to the form.
 */
export interface ModelDraft {
  readonly id: string
  /** Id of the base model; null for local changes to a model of a connection. */
  readonly baseId: string | null
  readonly name: string
  readonly description: string
  readonly picture: string
  readonly tags: readonly string[]
  readonly system: string
  readonly params: Fields
  readonly capabilities: Readonly<Record<string, boolean>>
  readonly suggestions: readonly string[]
  readonly otherMeta: Fields
  readonly grants: readonly AccessGrant[]
  readonly isActive: boolean
  /** The stored version that was changed; null if there is none yet. */
  readonly base: ModelRow | null
}

export const EMPTY_DRAFT: ModelDraft = {
  id: '',
  baseId: '',
  name: '',
  description: '',
  picture: '',
  tags: [],
  system: '',
  params: {},
  capabilities: {},
  suggestions: [],
  otherMeta: {},
  grants: [],
  isActive: true,
  base: null,
}

const toFlags = (value: unknown): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    ),
  )

const toSuggestions = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .map((each: unknown) => (isRecord(each) ? asText(each['content']) : ''))
    .filter(Boolean)

interface DraftParts {
  readonly params: Fields
  readonly meta: Fields
}

/** Distributes parameters and meta to the fields of the form. */
function fromParts({ params: { system, ...params }, meta }: DraftParts) {
  const { description, profile_image_url, capabilities, tags, suggestion_prompts, ...otherMeta } =
    meta
  return {
    description: asText(description),
    picture: asText(profile_image_url),
    tags: (Array.isArray(tags) ? tags : [])
      .map((tag: unknown) => (isRecord(tag) ? asText(tag['name']) : ''))
      .filter(Boolean),
    system: asText(system),
    params,
    capabilities: toFlags(capabilities),
    suggestions: toSuggestions(suggestion_prompts),
    otherMeta,
  }
}

/** Returns the form of a stored model. */
export const toDraft = (row: ModelRow): ModelDraft => ({
  id: row.id,
  baseId: row.base_model_id,
  name: row.name,
  grants: row.access_grants,
  isActive: row.is_active,
  base: row,
  ...fromParts(row),
})

/** Returns the form of a connection's model without local changes. */
export const toBaseDraft = ({ id, name }: Model): ModelDraft => ({
  ...EMPTY_DRAFT,
  id,
  baseId: null,
  name,
})

/**
 * Returns the draft of a copy. For a changed model of a connection, that model becomes the base of
 * the copy.
 */
export const toCopy = (draft: ModelDraft): ModelDraft => ({
  ...draft,
  id: '',
  baseId: draft.baseId ?? draft.id,
  name: translate('models.copyOf', { name: draft.name }),
  grants: [],
  base: null,
})

/** Derives an id from a name, used if none was typed. */
export const suggestId = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)

/** Derives an id from a name that no other model has; a name without Latin letters has none. */
export function suggestFreeId(name: string, taken: ReadonlySet<string>): string {
  const first = suggestId(name) || 'model'
  let id = first
  for (let number = 2; taken.has(id); number += 1) id = `${first}-${number}`
  return id
}

/** True if two forms would store the same. */
export const isSameDraft = (left: ModelDraft, right: ModelDraft): boolean =>
  left.id === right.id && JSON.stringify(toModelInput(left)) === JSON.stringify(toModelInput(right))

/** Returns the parameters including the system prompt, as stored. */
export const toParams = ({ params, system }: ModelDraft): Record<string, unknown> => ({
  ...params,
  ...(system.trim() && { system }),
})

const toMeta = ({
  otherMeta,
  description,
  picture,
  tags,
  capabilities,
  suggestions,
}: ModelDraft): Record<string, unknown> => ({
  ...otherMeta,
  ...(description.trim() && { description: description.trim() }),
  ...(picture && { profile_image_url: picture }),
  ...(tags.length > 0 && { tags: tags.map((name) => ({ name })) }),
  ...(Object.keys(capabilities).length > 0 && { capabilities }),
  ...(suggestions.length > 0 && {
    suggestion_prompts: suggestions.map((content) => ({ content })),
  }),
})

/** Returns the request that stores the model. */
export const toModelInput = (
  draft: ModelDraft,
): Pick<ModelInput, 'id' | 'base_model_id' | 'name' | 'access_grants' | 'is_active'> & {
  params: Record<string, unknown>
  meta: Record<string, unknown>
} => ({
  id: draft.id.trim() || suggestId(draft.name),
  base_model_id: draft.baseId,
  name: draft.name.trim(),
  params: toParams(draft),
  meta: toMeta(draft),
  access_grants: [...draft.grants],
  is_active: draft.isActive,
})

/** Returns parameters and meta as JSON text for editing. */
export const toJson = (draft: ModelDraft): string =>
  JSON.stringify({ params: toParams(draft), meta: toMeta(draft) }, null, 2)

/**
 * Returns the draft with the parameters and meta of a text; throws a readable error if it is
 * invalid.
 */
export function withJson(draft: ModelDraft, text: string): ModelDraft {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(translate('models.json.broken'))
  }
  const { params = {}, meta = {} } = isRecord(parsed) ? parsed : {}
  if (!isRecord(parsed) || !isRecord(params) || !isRecord(meta))
    throw new Error(translate('models.json.wrong'))
  return { ...draft, ...fromParts({ params, meta }) }
}

/** Returns the parameters with one set; undefined leaves it to the model. */
export function withParam(params: Fields, name: string, value: unknown): Fields {
  const { [name]: _before, ...others } = params
  return value === undefined ? others : { ...others, [name]: value }
}
