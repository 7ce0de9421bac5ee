import type { PluginEnvironment } from '#contract/plugins.ts'
import { badRequest, conflict, notFound, tooManyRequests, unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Loader, NewSource } from './loader.ts'
import { forReply, requireMayWriteCode, type PluginContext } from './plugin-context.ts'
import type { Environments } from './python/environments.ts'
import { readRequirements } from './python/requirements.ts'

/**
 * The packages of a source, installed before it is saved, so that whoever waits sees how it goes
 * and can stop it.
 */
export interface Installs {
  /**
   * Begins, or joins who waits for the same already. 403 for who may not store such a source, 400
   * for lines that are no packages.
   */
  begin(
    caller: Caller,
    source: Pick<NewSource, 'store' | 'content'> & { readonly requirements: readonly string[] },
  ): Promise<PluginEnvironment>
  /** How it goes; 404 for who did not ask for it. */
  show(caller: Caller, id: string): PluginEnvironment
  /** Ends it; 409 while others wait for it as well. */
  stop(caller: Caller, id: string): void
}

export interface InstallsDependencies {
  readonly context: Pick<PluginContext, 'groups'>
  readonly loader: Pick<Loader, 'requirementsOf'>
  readonly environments: Pick<Environments, 'install' | 'stop' | 'describe'>
}

/**
 * What the installer says of packages; its other lines name folders and addresses of the machine.
 */
const ABOUT_PACKAGES = /^(?:Collecting|Installing collected packages:|Successfully installed) /

const isUnderWay = ({ status }: PluginEnvironment): boolean =>
  status === 'waiting' || status === 'installing'

const forMember = (environment: PluginEnvironment): PluginEnvironment => ({
  ...environment,
  log: environment.log
    .filter((line) => ABOUT_PACKAGES.test(line))
    .map((line) => line.replace(/ \(from .*$/, '')),
})

export function createInstalls({ context, loader, environments }: InstallsDependencies): Installs {
  /** Who asked for an environment, by its id. */
  const askers = new Map<string, Set<string>>()

  function find(caller: Caller, id: string): PluginEnvironment {
    const found = environments.describe().find((each) => each.id === id)
    if (found && (caller.role === 'admin' || askers.get(id)?.has(caller.userId))) return found
    throw notFound('There is no such installation.')
  }

  return {
    async begin(caller, { store, content, requirements }) {
      requireMayWriteCode(context, caller)
      if (store === 'function' && caller.role !== 'admin')
        throw unauthorized('You do not have permission for this. Ask an administrator.')
      const source = { store, id: '', content, authorId: caller.userId, valves: null, requirements }
      const lines = readRequirements(await forReply(loader.requirementsOf(source))).requirements
      if (lines.length === 0)
        throw badRequest('The plugin asks for no package. Name at least one.', {
          code: 'no_packages',
        })
      const others = environments
        .describe()
        .filter((each) => isUnderWay(each) && each.requirements.join('\n') !== lines.join('\n'))
      if (caller.role !== 'admin' && others.some(({ id }) => askers.get(id)?.has(caller.userId))) {
        throw tooManyRequests(
          'Another installation of yours is under way. Wait for it, or stop it.',
          5,
        )
      }
      const environment = environments.install(lines)
      askers.set(environment.id, (askers.get(environment.id) ?? new Set()).add(caller.userId))
      return caller.role === 'admin' ? environment : forMember(environment)
    },
    show(caller, id) {
      const environment = find(caller, id)
      return caller.role === 'admin' ? environment : forMember(environment)
    },
    stop(caller, id) {
      const environment = find(caller, id)
      if (!isUnderWay(environment)) throw conflict('The installation is over already.')
      if (environments.stop(id, { evenForOthers: caller.role === 'admin' })) return
      throw conflict('Others wait for these packages as well, so the installation goes on.')
    },
  }
}
