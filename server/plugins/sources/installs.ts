import type { PluginEnvironment } from '#contract/plugins.ts'
import { badRequest, conflict, notFound, tooManyRequests, unauthorized } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { NewSource } from './source.ts'
import { forReply, requireMayWriteCode, type PluginContext } from '../plugin-context.ts'
import type { Environments } from '../python/environments.ts'
import { readRequirements } from '../python/requirements.ts'
import type { SourceReader } from './read-source.ts'

export interface InstallsDependencies {
  readonly context: Pick<PluginContext, 'groups'>
  readonly sources: SourceReader
  readonly environments: Environments
}

/** Installer output about packages; its other lines contain folders and URLs of the machine. */
const ABOUT_PACKAGES = /^(?:Collecting|Installing collected packages:|Successfully installed) /

const isUnderWay = ({ status }: PluginEnvironment): boolean =>
  status === 'waiting' || status === 'installing'

const forMember = (environment: PluginEnvironment): PluginEnvironment => ({
  ...environment,
  log: environment.log
    .filter((line) => ABOUT_PACKAGES.test(line))
    .map((line) => line.replace(/ \(from .*$/, '')),
})

/**
 * Installs the packages of a source before it is saved, so that the user sees the progress and can
 * stop it.
 */
export class Installs {
  readonly #context: Pick<PluginContext, 'groups'>
  readonly #sources: SourceReader
  readonly #environments: Environments
  /** Users who requested an environment, by its id. */
  readonly #askers = new Map<string, Set<string>>()

  constructor({ context, sources, environments }: InstallsDependencies) {
    this.#context = context
    this.#sources = sources
    this.#environments = environments
  }

  /**
   * Starts an installation, or joins an identical one. Throws 403 for users who may not store such
   * a source, 400 for lines that are no packages.
   */
  async begin(
    caller: Caller,
    {
      store,
      content,
      requirements,
    }: Pick<NewSource, 'store' | 'content'> & { readonly requirements: readonly string[] },
  ): Promise<PluginEnvironment> {
    await requireMayWriteCode(this.#context, caller)
    if (store === 'function' && caller.role !== 'admin')
      throw unauthorized('You do not have permission for this. Ask an administrator.')
    const source = { store, id: '', content, authorId: caller.userId, valves: null, requirements }
    const lines = readRequirements(
      await forReply(this.#sources.requirementsOf(source)),
    ).requirements
    if (lines.length === 0)
      throw badRequest('The plugin asks for no package. Name at least one.', {
        code: 'no_packages',
      })
    const others = this.#environments
      .describe()
      .filter((each) => isUnderWay(each) && each.requirements.join('\n') !== lines.join('\n'))
    if (
      caller.role !== 'admin' &&
      others.some(({ id }) => this.#askers.get(id)?.has(caller.userId))
    ) {
      throw tooManyRequests(
        'Another installation of yours is in progress. Wait for it, or stop it.',
        5,
      )
    }
    const environment = this.#environments.install(lines)
    this.#askers.set(
      environment.id,
      (this.#askers.get(environment.id) ?? new Set()).add(caller.userId),
    )
    return caller.role === 'admin' ? environment : forMember(environment)
  }

  /** Returns its progress; throws 404 for users who did not request it. */
  show(caller: Caller, id: string): PluginEnvironment {
    const environment = this.#find(caller, id)
    return caller.role === 'admin' ? environment : forMember(environment)
  }

  /** Cancels it; throws 409 while other users are waiting for it as well. */
  stop(caller: Caller, id: string): void {
    const environment = this.#find(caller, id)
    if (!isUnderWay(environment)) throw conflict('The installation is over already.')
    if (this.#environments.stop(id, { evenForOthers: caller.role === 'admin' })) return
    throw conflict('Other users wait for these packages too, so the installation continues.')
  }

  #find(caller: Caller, id: string): PluginEnvironment {
    const found = this.#environments.describe().find((each) => each.id === id)
    if (found && (caller.role === 'admin' || this.#askers.get(id)?.has(caller.userId))) return found
    throw notFound('There is no such installation.')
  }
}
