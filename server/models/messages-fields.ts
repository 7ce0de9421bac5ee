import type { Model } from '#contract/models.ts'
import type { Call, HttpCall } from '../lib/http.ts'

/** Form in which a caller reads models: the fields of a list beside `data`, and those of each model. */
interface ModelView {
  readonly page: Readonly<Record<string, unknown>>
  readonly show: (model: Model) => Model
}

/** End of the last year that is written with four digits, in Unix seconds. */
const LAST_SECOND = 253_402_300_799

const toDate = (seconds: number): string =>
  new Date(Math.min(seconds, LAST_SECOND) * 1000).toISOString()

const AS_LISTED: ModelView = { page: {}, show: (model) => model }

/** Adds the fields that SDKs of the messages API read; each of them sends this header. */
export function viewFor(call: Call | HttpCall, models: readonly Model[]): ModelView {
  if (!('request' in call) || call.request.headers['anthropic-version'] === undefined)
    return AS_LISTED
  return {
    page: {
      has_more: false,
      first_id: models[0]?.id ?? null,
      last_id: models.at(-1)?.id ?? null,
    },
    show: (model) => ({
      ...model,
      type: 'model',
      display_name: model.name,
      created_at: toDate(model.created),
    }),
  }
}
