import { upstreamFailed } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { describeFile } from '../models/describe-file.ts'
import type { ProviderModel } from '../provider.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Reply of `/api/show` about a model, cached by digest because it never changes for one. */
interface Details {
  readonly capabilities: readonly string[] | null
  readonly contextLength: number | null
}

/** Part of an upstream needed to list models. */
type ControlledUpstream = Pick<Upstream, 'control' | 'faults'>

const SHOW_PARALLEL = 4
/** Maximum time a list waits for details that are not known yet. */
const SHOW_MILLISECONDS = 1500

function parseDetails(answer: unknown): Details {
  const fields = isRecord(answer) ? answer : {}
  const capabilities = Array.isArray(fields['capabilities'])
    ? fields['capabilities'].filter((name) => typeof name === 'string')
    : null
  const info = isRecord(fields['model_info']) ? fields['model_info'] : {}
  const length = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]
  return {
    capabilities,
    contextLength: typeof length === 'number' && Number.isInteger(length) ? length : null,
  }
}

function toCapabilities(details: Details | undefined): Record<string, boolean> {
  const known = details?.capabilities
  const has = (name: string): boolean => known?.includes(name) ?? false
  return {
    vision: has('vision'),
    tools: has('tools'),
    reasoning: has('thinking'),
    file_upload: true,
    usage: true,
    citations: true,
  }
}

const isElsewhere = (row: Fields): boolean =>
  typeof row['remote_host'] === 'string' && row['remote_host'] !== ''

function describe(row: Fields): string | null {
  const details = isRecord(row['details']) ? row['details'] : {}
  const facts = [details['family'], details['parameter_size'], details['quantization_level']]
  return describeFile(facts, isElsewhere(row) ? null : row['size'])
}

function toModel(row: Fields, id: string, details: Details | undefined): ProviderModel {
  const modified =
    typeof row['modified_at'] === 'string' ? Date.parse(row['modified_at']) : Number.NaN
  return {
    id,
    name: typeof row['name'] === 'string' ? row['name'] : id,
    ...(Array.isArray(row['pulled_names']) && {
      otherIds: row['pulled_names'].filter((each) => typeof each === 'string'),
    }),
    created: Number.isNaN(modified) ? 0 : Math.max(0, Math.floor(modified / 1000)),
    ownedBy: 'ollama',
    description: describe(row),
    contextLength: details?.contextLength ?? null,
    maxOutputTokens: null,
    capabilities: toCapabilities(details),
    embedsOnly: details !== undefined && embedsOnly(details),
    ...(details?.capabilities?.includes('rerank') && { ranksOnly: true }),
    leavesComputer: isElsewhere(row),
  }
}

const modelId = (row: Fields): string | null => {
  const id = row['model'] ?? row['name']
  return typeof id === 'string' && id !== '' && id.length <= 512 ? id : null
}

const digestOf = (row: Fields, id: string): string =>
  typeof row['digest'] === 'string' ? row['digest'] : id

const embedsOnly = ({ capabilities }: Details): boolean =>
  capabilities !== null && !capabilities.includes('completion')

function parseTags(
  answer: unknown,
  upstream: ControlledUpstream,
): { id: string; digest: string; row: Fields }[] {
  const rows = isRecord(answer) ? answer['models'] : null
  if (!Array.isArray(rows))
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" did not answer with a list of models.`,
    )
  return rows.filter(isRecord).flatMap((row) => {
    const id = modelId(row)
    return id === null ? [] : [{ id, digest: digestOf(row, id), row }]
  })
}

const waitBriefly = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, SHOW_MILLISECONDS).unref())

/** Installed models. Details are requested once per model, and a slow response delays no list. */
export class RuntimeModels {
  readonly #upstream: ControlledUpstream
  readonly #known = new Map<string, Details>()

  constructor(upstream: ControlledUpstream) {
    this.#upstream = upstream
  }

  async list(signal: AbortSignal): Promise<ProviderModel[]> {
    const answer = await this.#upstream.control({ method: 'GET', path: '/api/tags' }, signal)
    const found = parseTags(answer, this.#upstream)
    const queue = found.filter(({ digest }) => !this.#known.has(digest))
    if (queue.length > 0) {
      const learners = Array.from({ length: SHOW_PARALLEL }, () => this.#learn(queue, signal))
      await Promise.race([Promise.all(learners), waitBriefly()])
    }
    return found.map(({ id, digest, row }) => toModel(row, id, this.#known.get(digest)))
  }

  async #learn(queue: { id: string; digest: string }[], signal: AbortSignal): Promise<void> {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      const call = this.#upstream.control(
        { method: 'POST', path: '/api/show', body: { model: next.id } },
        signal,
      )
      const details = await call.then(parseDetails).catch(() => null)
      if (details) this.#known.set(next.digest, details)
    }
  }
}
