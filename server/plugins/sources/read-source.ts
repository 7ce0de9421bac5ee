import { isRecord } from '../../lib/is-record.ts'
import type { LoaderDependencies, NewSource, Source } from './source.ts'
import { readRequirements } from '../python/requirements.ts'
import { domainOfAuthor } from '../trust-domain.ts'
import { workerFailure } from '../worker/faults.ts'

const NOBODY = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }

type SourceReaderParts = Pick<LoaderDependencies, 'users' | 'environments' | 'supervisor'>

/** Determines kind and requirements of a source without running it. */
export class SourceReader {
  readonly #parts: SourceReaderParts

  constructor(parts: SourceReaderParts) {
    this.#parts = parts
  }

  /** Inspects a source in a worker of its author, because parsing alone can crash the process. */
  async inspect({ store, content, authorId }: Source): Promise<Readonly<Record<string, unknown>>> {
    const { users, environments, supervisor } = this.#parts
    const plugin = `inspect:${authorId}`
    const place = { plugin, domain: await domainOfAuthor(users, authorId), toolAuthor: null }
    const worker = await supervisor.acquire(place, await environments.ensure([]))
    const { value } = await worker.call({
      plugin,
      fields: { op: 'inspect', content, store },
      listeners: NOBODY,
    })
    return isRecord(value) ? value : {}
  }

  /** Returns the packages of a source and the additional ones; throws for a refused line. */
  async requirementsOf(source: NewSource): Promise<string[]> {
    const found = await this.inspect(source)
    const asked: unknown[] = Array.isArray(found['requirements']) ? found['requirements'] : []
    const lines = [
      ...asked.filter((line): line is string => typeof line === 'string'),
      ...(source.requirements ?? []),
    ]
    const [first] = readRequirements(lines).refused
    if (first)
      throw workerFailure(
        'requirements',
        `The requirement "${first.line}" is refused. ${first.reason}`,
      )
    return lines
  }
}
