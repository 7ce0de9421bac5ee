import type { RequestFilter, RequestRecord } from '#contract/requests.ts'

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

/** A test for records; every word of the text has to be found somewhere. */
export function toTest({
  method,
  status,
  text,
}: RequestFilter): (record: RequestRecord) => boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return (record) => {
    if (method && record.method !== method) return false
    if (status && !fitsStatus(record.status, status)) return false
    const found = words.length === 0 ? '' : searchable(record)
    return words.every((word) => found.includes(word))
  }
}
