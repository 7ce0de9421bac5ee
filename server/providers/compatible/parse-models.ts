import { isRecord, type Fields } from '../../lib/is-record.ts'
import { describeFile } from '../models/describe-file.ts'
import type { PipelineInfo, ProviderModel } from '../provider.ts'

/**
 * Capabilities of a model without a description: all except reasoning, which is detected from the
 * answer.
 */
const UNKNOWN_CAPABILITIES: Readonly<Record<string, boolean>> = {
  vision: true,
  file_upload: true,
  tools: true,
  usage: true,
  citations: true,
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Returns the first positive integer among fields that providers use for the same value. */
function firstNumber(row: Fields, names: readonly string[]): number | null {
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  }
  return null
}

function includes(list: unknown, word: string): boolean | undefined {
  return Array.isArray(list) ? list.includes(word) : undefined
}

/**
 * Returns the capabilities from the descriptions some providers add to their lists, otherwise the
 * defaults.
 */
function parseCapabilities(row: Fields): Record<string, boolean> {
  const architecture = isRecord(row['architecture']) ? row['architecture'] : {}
  const told = isRecord(row['capabilities']) ? row['capabilities'] : {}
  const modalities = architecture['input_modalities'] ?? row['input_modalities']
  const parameters = row['supported_parameters']
  const known: Record<string, boolean | undefined> = {
    vision: typeof told['vision'] === 'boolean' ? told['vision'] : includes(modalities, 'image'),
    tools:
      typeof told['function_calling'] === 'boolean'
        ? told['function_calling']
        : includes(parameters, 'tools'),
    reasoning:
      typeof told['reasoning'] === 'boolean'
        ? told['reasoning']
        : includes(parameters, 'reasoning'),
  }
  const found = Object.entries(known).filter(
    (entry): entry is [string, boolean] => entry[1] !== undefined,
  )
  return { ...UNKNOWN_CAPABILITIES, ...Object.fromEntries(found) }
}

/** Returns a model of which only the id is known. */
export function toNamedModel(id: string): ProviderModel {
  return {
    id,
    name: id,
    created: 0,
    ownedBy: 'openai',
    description: null,
    contextLength: null,
    maxOutputTokens: null,
    capabilities: UNKNOWN_CAPABILITIES,
  }
}

const PIPELINE_TYPES = ['pipe', 'manifold', 'filter'] as const

function parsePipeline({ pipeline }: Fields): PipelineInfo | null {
  if (!isRecord(pipeline)) return null
  const targets = Array.isArray(pipeline['pipelines'])
    ? pipeline['pipelines'].filter((id) => typeof id === 'string')
    : []
  const priority = pipeline['priority']
  return {
    type: PIPELINE_TYPES.find((type) => type === pipeline['type']) ?? 'pipe',
    targets,
    priority: typeof priority === 'number' && Number.isFinite(priority) ? priority : 0,
  }
}

/** Returns the Unix seconds of a date in text. */
function toSeconds(date: unknown): number | null {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}

/** Describes a model by the `meta` that servers of local files add to their lists. */
function describeMeta({ meta }: Fields): string | null {
  const { n_params: parameters, size } = isRecord(meta) ? meta : {}
  const count =
    typeof parameters === 'number' && parameters >= 1e8
      ? `${Math.round(parameters / 1e8) / 10}B`
      : null
  return describeFile([count], size)
}

function parseModel(row: Fields, ofPipelines: boolean): ProviderModel | null {
  const id = text(row['id']) ?? text(row['name'])
  if (id === null || id.length > 512) return null
  const top = isRecord(row['top_provider']) ? row['top_provider'] : {}
  const pipeline = ofPipelines ? parsePipeline(row) : null
  return {
    ...(pipeline && { pipeline }),
    ...toNamedModel(id),
    name: text(row['name']) ?? text(row['display_name']) ?? id,
    created: firstNumber(row, ['created', 'created_at']) ?? toSeconds(row['created_at']) ?? 0,
    description: text(row['description'])?.slice(0, 2000) ?? describeMeta(row),
    contextLength: firstNumber(row, [
      'context_length',
      'context_window',
      'max_model_len',
      'max_context_length',
      'max_input_tokens',
    ]),
    maxOutputTokens:
      firstNumber(row, ['max_output_tokens', 'max_completion_tokens']) ??
      firstNumber(top, ['max_completion_tokens']),
    capabilities: parseCapabilities(row),
  }
}

/**
 * Parses the models of a provider's list, `{data: […]}` or a bare array; returns null if the
 * response is not a list.
 */
export function parseModels(answer: unknown): ProviderModel[] | null {
  const rows = Array.isArray(answer)
    ? answer
    : isRecord(answer)
      ? (answer['data'] ?? answer['models'])
      : null
  if (!Array.isArray(rows)) return null
  const ofPipelines = isRecord(answer) && answer['pipelines'] === true
  const models = new Map<string, ProviderModel>()
  for (const row of rows) {
    const model = isRecord(row)
      ? parseModel(row, ofPipelines)
      : typeof row === 'string'
        ? toNamedModel(row)
        : null
    if (model && !models.has(model.id)) models.set(model.id, model)
  }
  return [...models.values()]
}
