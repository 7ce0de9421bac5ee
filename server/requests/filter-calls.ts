import type { RequestFilter, RequestRecord } from '#contract/requests.ts'
import { isBrowser } from './name-program.ts'

function fitsStatus(status: number, wanted: string): boolean {
  return wanted.toLowerCase().endsWith('xx')
    ? Math.floor(status / 100) === Number(wanted[0])
    : status === Number(wanted)
}

function searchable({
  id,
  endpoint,
  path,
  user,
  key_name,
  program,
  model,
  error,
}: RequestRecord): string {
  return [id, endpoint, path, user?.name, key_name, program, model, error].join('\n').toLowerCase()
}

/**
 * Reports whether a window of the UI made the call: it signs in by cookie, and shows pages before
 * that.
 */
const isOfWindow = ({ credential, program }: RequestRecord): boolean =>
  credential === 'cookie' || (credential === null && program !== null && isBrowser(program))

/** Returns a filter for records; every term of the text must occur somewhere. */
export function toTest({
  method,
  status,
  windows,
  text,
}: RequestFilter): (record: RequestRecord) => boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return (record) => {
    if (method && record.method !== method) return false
    if (windows === 'hidden' && isOfWindow(record)) return false
    if (status && !fitsStatus(record.status, status)) return false
    const found = words.length === 0 ? '' : searchable(record)
    return words.every((word) => found.includes(word))
  }
}
