import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { badRequest, forbidden } from '../lib/errors.ts'
import { isLoopbackHost } from '../lib/host-address.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { isPublicUrl, type Peers } from './peers.ts'

// @NOTE `WEBUI_AUTH=false` makes any credentials sign in one automatic account. Here
// - it holds for requests from this machine only; other machines need
//   `WEBUI_AUTH_OPEN_TO_NETWORK=true`, and without it a gateway that listens on more than loopback
//   or has a public `WEBUI_URL` does not start. Host and Origin are checked as always, so no page
//   of another site gets a session;
// - calls need a session or key as before: only the way to a session is open;
// - the account has no password instead of a known one, so that nobody can use it once sign-in is
//   back;
// - the first account has to be the automatic one. Where other accounts exist, everybody would
//   become one of them, so the sign-in is refused;
// - the desktop app ignores it, because its window signs in by itself.

/** The account of every caller while sign-in is switched off. */
const AUTOMATIC = Object.freeze({ name: 'Admin', email: 'admin@localhost' })
const NETWORK_SWITCH = 'WEBUI_AUTH_OPEN_TO_NETWORK'

/** Whether `WEBUI_AUTH=false` holds. */
export const hasOpenDoor = (config: Config, settings: AuthSettings): boolean =>
  config.mode === 'server' && !settings.get('WEBUI_AUTH')

/** Stops the start of a gateway that would give itself away to a network by accident. */
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

/** The way in while nobody has to sign in. */
export class OpenDoor {
  readonly #deps: OpenDoorDependencies

  constructor(deps: OpenDoorDependencies) {
    this.#deps = deps
  }

  /** 403 for a request from another machine, as long as the door is open to this one only. */
  requireWithinReach(request: IncomingMessage): void {
    if (!this.#deps.peers.isLocal(request) && !this.#deps.settings.get(NETWORK_SWITCH))
      throw forbidden(
        `Sign-in is switched off for the machine of the gateway alone. ${NETWORK_SWITCH}=true lets in others.`,
      )
  }

  /**
   * The automatic account, made when there is none at all; 403 from other machines, 400 where it
   * is not the first account.
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
