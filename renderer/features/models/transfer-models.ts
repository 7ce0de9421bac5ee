import type { ModelRow } from '#contract/models.ts'
import { call, endpoints } from '../../api/client.ts'
import { translate } from '../../lib/i18n.ts'

/** Exports stored models as a file that can be imported here and elsewhere. */
export const toExport = (rows: readonly ModelRow[]): string => `${JSON.stringify(rows, null, 2)}\n`

/** Exports every stored model the user may edit. */
export const exportModels = async (): Promise<string> =>
  toExport(await call(endpoints.models.export, {}))

type Row = Parameters<typeof call<typeof endpoints.models.import>>[1]['body']['models'][number]

const isRow = (value: unknown): value is Row => {
  const row = value as Partial<Row> | null
  return (
    typeof row === 'object' &&
    row !== null &&
    typeof row.id === 'string' &&
    typeof row.name === 'string'
  )
}

/** Parses a file of models; throws a readable error if it is invalid. */
export function parseModels(text: string): Row[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(translate('models.notAFile'))
  }
  const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (rows.length === 0 || !rows.every(isRow)) throw new Error(translate('models.notAFile'))
  return rows
}

/** Adds and updates the models of a file, either all or none; resolves with their number. */
export async function importModels(text: string): Promise<number> {
  const models = parseModels(text)
  await call(endpoints.models.import, { body: { models } })
  return models.length
}
