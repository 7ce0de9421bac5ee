import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import { badRequest, forbidden } from '../../lib/errors.ts'
import { isLoopbackHost } from '../../lib/outgoing/host-address.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import { isPublicUrl, type Peers } from '../origin/peers.ts'

// @NOTE `WEBUI_AUTH=false` makes any credentials sign in to one automatic account. Here
// - it applies to requests from this machine only; other machines need
// `WEBUI_AUTH_OPEN_TO_NETWORK=true`, and without it a gateway that listens on more than loopback or
// has a public `WEBUI_URL` does not start. Host and Origin are checked as always, so no page of
// another site gets a session;
// - requests need a session or key as before: only creating a session is open;
// - the account has no password instead of a known one, so that it cannot be used once sign-in is
// enabled again;
// - the first account has to be the automatic one. If other accounts exist, every client would sign
// in as one of them, so the sign-in is refused;
// - the desktop app ignores it, because its window signs in by itself.

/** The account of all callers while sign-in is disabled. */
const AUTOMATIC = Object.freeze({ name: 'Admin', email: 'admin@localhost' })
const NETWORK_SWITCH = 'WEBUI_AUTH_OPEN_TO_NETWORK'

/** Returns true if `WEBUI_AUTH=false` applies. */
export const hasOpenDoor = (config: Config, settings: AuthSettings): boolean =>
  config.mode === 'server' && !settings.get('WEBUI_AUTH')

/** Prevents the start of a gateway that would be open to a network by accident. */
export function checkOpenDoor(config: Config, settings: AuthSettings): void {
  if (!hasOpenDoor(config, settings) || settings.get(NETWORK_SWITCH)) return
  const url = settings.get('WEBUI_URL')
  const refuse = (reason: string, remedy: string): never => {
    const text = `WEBUI_AUTH=false lets in whoever reaches the gateway, and ${reason}. ${remedy}, or set ${NETWORK_SWITCH}=true when that is meant.`
    throw new StartError(text, { exitCode: 2 })
  }
  if (!isLoopbackHost(config.host))
    refuse(`HOST=${config.host} is reached from other machines`, 'Listen on 127.0.0.1')
  if (isPublicUrl(url)) refuse(`WEBUI_URL=${url} is reached from other machines`, 'Unset WEBUI_URL')
}

interface OpenDoorDependencies {
  readonly settings: AuthSettings
  readonly users: Users
  readonly peers: Peers
  readonly createAccount: (input: Parameters<Users['create']>[0]) => Promise<UserRecord>
}

/** Sign-in while it is disabled. */
export class OpenDoor {
  readonly #deps: OpenDoorDependencies

  constructor(deps: OpenDoorDependencies) {
    this.#deps = deps
  }

  /** Throws 403 for a request from another machine, unless the gateway is open to the network. */
  requireWithinReach(request: IncomingMessage): void {
    if (!this.#deps.peers.isLocal(request) && !this.#deps.settings.get(NETWORK_SWITCH))
      throw forbidden(
        `Sign-in is switched off for the machine of the gateway alone. ${NETWORK_SWITCH}=true lets in others.`,
      )
  }

  /**
   * Returns the automatic account, created if there are no accounts; throws 403 for other machines,
   * 400 if it is not the first account.
   */
  async enter(request: IncomingMessage): Promise<UserRecord> {
    this.requireWithinReach(request)
    const first = await this.#deps.users.first()
    if (first && first.email !== AUTOMATIC.email)
      throw badRequest(
        'There are accounts here already, so sign-in cannot be switched off. Start the gateway without WEBUI_AUTH=false.',
        {
          code: 'existing_users',
        },
      )
    return first ?? (await this.#deps.createAccount({ ...AUTOMATIC, role: 'admin' }))
  }
}
