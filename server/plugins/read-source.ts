import { isRecord } from '../lib/is-record.ts'
import type { Loader, LoaderDependencies } from './loader.ts'
import { readRequirements } from './python/requirements.ts'
import { domainOfAuthor } from './trust-domain.ts'
import { workerFailure } from './worker/faults.ts'

const NOBODY = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }

/** Reads what a source is and needs, without running it. */
export function createSourceReader({
  users,
  environments,
  supervisor,
}: Pick<LoaderDependencies, 'users' | 'environments' | 'supervisor'>): Pick<
  Loader,
  'inspect' | 'requirementsOf'
> {
  /**
   * Among the code of whoever sent the source, as what only reads it can be made to crash as well.
   */
  const inspect: Loader['inspect'] = async ({ store, content, authorId }) => {
    const plugin = `inspect:${authorId}`
    const place = { plugin, domain: domainOfAuthor(users, authorId), toolAuthor: null }
    const worker = await supervisor.acquire(place, await environments.ensure([]))
    const { value } = await worker.call({
      plugin,
      fields: { op: 'inspect', content, store },
      listeners: NOBODY,
    })
    return isRecord(value) ? value : {}
  }
  return {
    inspect,
    async requirementsOf(source) {
      const found = await inspect(source)
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
    },
  }
}
