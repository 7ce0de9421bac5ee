import { upstreamFailed } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord, type Fields } from '../lib/is-record.ts'
import type { Backend, Providers } from '../providers/index.ts'
import type { Targets } from './targets.ts'

/** Time limit for one runtime; slower ones are left out. */
const DEADLINE_MILLISECONDS = 3000

interface Answer {
  readonly backend: Backend
  readonly fields: Fields
}

/** Queries all at once; those without a successful response are left out. */
async function askAll(
  backends: readonly Backend[],
  path: string,
  signal: AbortSignal,
): Promise<Answer[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MILLISECONDS)])
  const asked = await Promise.allSettled(
    backends.map((backend) => backend.control({ method: 'GET', path }, limit)),
  )
  return asked.flatMap((result, place) =>
    result.status === 'fulfilled' && isRecord(result.value)
      ? [{ backend: backends[place]!, fields: result.value }]
      : [],
  )
}

const rowsOf = ({ fields }: Answer): Fields[] =>
  Array.isArray(fields['models']) ? fields['models'].filter(isRecord) : []

/** Returns a row with the gateway's names for the model. */
function toPublicRow(
  { backend }: Answer,
  row: Fields,
): (Fields & { name: string; model: string }) | null {
  const model = row['model'] ?? row['name']
  if (typeof model !== 'string' || model === '') return null
  const name = typeof row['name'] === 'string' ? row['name'] : model
  return { ...row, name: backend.toPublicId(name), model: backend.toPublicId(model) }
}

export type Tag = Fields & { name: string; model: string; urls: number[] }

/**
 * Returns the installed models of all runtimes: one row per model, listing the runtimes that have
 * it.
 */
export async function listTags(
  { providers, targets }: { providers: Providers; targets: Targets },
  call: { caller: Caller; index?: number; signal: AbortSignal },
): Promise<{ models: Tag[] }> {
  const answers = await askAll(targets.usable('runtime', call.index), '/api/tags', call.signal)
  const tags = new Map<string, Tag>()
  for (const answer of answers) {
    for (const row of rowsOf(answer)) {
      const shown = toPublicRow(answer, row)
      if (!shown) continue
      const known = tags.get(shown.model)
      if (known) known.urls.push(answer.backend.index)
      else tags.set(shown.model, { ...shown, urls: [answer.backend.index] })
    }
  }
  if ([...tags.keys()].some((id) => providers.findCached(id) === null))
    await providers.listModels({ refresh: true })
  const rows = [...tags.values()]
  const allowed = await Promise.all(
    rows.map(({ model }) => isListed({ providers, targets }, call.caller, model)),
  )
  return { models: rows.filter((_, place) => allowed[place]) }
}

const isListed = async (
  parts: { providers: Providers; targets: Targets },
  caller: Caller,
  id: string,
): Promise<boolean> =>
  parts.providers.findCached(id) !== null && (await parts.targets.mayUse(caller, id))

/** Returns the models currently in memory, of all runtimes. */
export async function listLoaded(
  targets: Targets,
  signal: AbortSignal,
): Promise<{ models: Fields[] }> {
  const answers = await askAll(targets.usable('runtime'), '/api/ps', signal)
  return {
    models: answers.flatMap((answer) =>
      rowsOf(answer).flatMap((row) => toPublicRow(answer, row) ?? []),
    ),
  }
}

const toNumbers = (version: string): number[] =>
  version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0)

function compareVersions(left: string, right: string): number {
  const [a, b] = [toNumbers(left), toNumbers(right)]
  for (let place = 0; place < Math.max(a.length, b.length); place += 1) {
    const difference = (a[place] ?? 0) - (b[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Returns the lowest version, which clients can rely on everywhere; throws 502 if no runtime
 * responds.
 */
export async function findVersion(
  backends: readonly Backend[],
  signal: AbortSignal,
): Promise<{ version: string | false }> {
  if (backends.length === 0) return { version: false }
  const answers = await askAll(backends, '/api/version', signal)
  const versions = answers
    .map(({ fields }) => fields['version'])
    .filter((version) => typeof version === 'string')
  const [lowest] = versions.toSorted(compareVersions)
  if (lowest === undefined)
    throw upstreamFailed('No local runtime answers. Start it or correct its address.')
  return { version: lowest }
}
