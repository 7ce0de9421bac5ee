import { isRecord } from '../lib/is-record.ts'
import { capabilitiesOf, parameterSize, type ModelEntry } from './library/model-entry.ts'

const MOST_MILLISECONDS = 8.64e15

const detailsOf = ({ info }: ModelEntry) => ({
  parent_model: '',
  format: 'gguf',
  family: info?.architecture ?? '',
  families: info ? [info.architecture] : [],
  parameter_size: info ? parameterSize(info) : '',
  quantization_level: info?.quantization ?? '',
})

/** Returns a model as listed among the installed ones. */
export const describeTag = (entry: ModelEntry) => ({
  name: entry.name,
  model: entry.name,
  modified_at: entry.modifiedAt.toISOString(),
  size: entry.bytes,
  digest: entry.digest,
  details: detailsOf(entry),
  ...(entry.pulledNames.length > 0 && { pulled_names: entry.pulledNames }),
})

/** Returns the details of a model. */
export function describeModel(entry: ModelEntry) {
  const info = entry.info!
  const { architecture } = info
  return {
    license: info.license ?? '',
    modelfile: '',
    parameters: '',
    template: info.chatTemplate ?? '',
    details: detailsOf(entry),
    model_info: {
      'general.architecture': architecture,
      'general.parameter_count': info.parameters,
      [`${architecture}.context_length`]: info.contextLength,
      [`${architecture}.embedding_length`]: info.embeddingLength,
      [`${architecture}.block_count`]: info.blocks,
    },
    capabilities: capabilitiesOf(info),
    modified_at: entry.modifiedAt.toISOString(),
  }
}

/** Returns the models the engine has in memory, with the names of their files. */
export function toLoadedRows(reported: unknown, entries: readonly ModelEntry[]) {
  const rows = isRecord(reported) && Array.isArray(reported['models']) ? reported['models'] : []
  return rows.filter(isRecord).flatMap((row) => {
    const entry = entries.find(({ file }) => file === row['file'])
    if (!entry) return []
    const expires = typeof row['expiresAt'] === 'number' ? row['expiresAt'] : MOST_MILLISECONDS
    return [
      {
        name: entry.name,
        model: entry.name,
        size: row['bytes'],
        digest: entry.digest,
        details: detailsOf(entry),
        expires_at: new Date(expires).toISOString(),
        size_vram: 0,
        context_length: row['contextLength'],
      },
    ]
  })
}
