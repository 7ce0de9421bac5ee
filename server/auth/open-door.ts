import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { badRequest, forbidden } from '../lib/errors.ts'
import { isLoopbackHost } from '../lib/host-address.ts'
import type { Settings } from '../settings/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { isPublicUrl, type Peers } from './peers.ts'

// @NOTE The reference says of `WEBUI_AUTH=false` only that any credentials sign in one automatic
//   account. Here
// - it holds for requests from this machine alone; other machines get in only after
//   `WEBUI_AUTH_OPEN_TO_NETWORK=true`,
//   and a gateway that listens on more than loopback or has a public `WEBUI_URL` does not start without it. Host and
//   Origin are checked as always, so no page of another site gets a session;
// - calls need a session or key as ever: only the way to a session is open;
// - the account has no password instead of a known one, so that nobody gets in by it once sign-in
//   is back;
// - it is the automatic one only when it is the first one here. Where others came first, everybody
//   would become one of
//   them, so that is refused;
// - the desktop app ignores it: its window signs in by itself, and nothing else should.

/** The account everybody is when nobody has to sign in. */
const AUTOMATIC = Object.freeze({ name: 'Admin', email: 'admin@localhost' })
const NETWORK_SWITCH = 'WEBUI_AUTH_OPEN_TO_NETWORK'

/** Whether `WEBUI_AUTH=false` holds. */
export const hasOpenDoor = (config: Config, settings: Pick<Settings, 'boolean'>): boolean =>
  config.mode === 'server' && !settings.boolean('WEBUI_AUTH')

/** Stops the start of a gateway that would give itself away to a network by accident. */
export function checkOpenDoor(
  config: Config,
  settings: Pick<Settings, 'boolean' | 'string'>,
): void {
  if (!hasOpenDoor(config, settings) || settings.boolean(NETWORK_SWITCH)) return
  const url = settings.string('WEBUI_URL')
  const refuse = (reason: string, remedy: string): never => {
    const text = `WEBUI_AUTH=false lets in whoever reaches the gateway, and ${reason}. ${remedy}, or set ${NETWORK_SWITCH}=true when that is meant.`
    throw new StartError(text, { exitCode: 2 })
  }
  if (!isLoopbackHost(config.host))
    refuse(`HOST=${config.host} is reached from other machines`, 'Listen on 127.0.0.1')
  if (isPublicUrl(url)) refuse(`WEBUI_URL=${url} is reached from other machines`, 'Unset WEBUI_URL')
}

export interface OpenDoorDependencies {
  readonly settings: Settings
  readonly users: Users
  readonly peers: Peers
  readonly createAccount: (input: Parameters<Users['create']>[0]) => UserRecord
}

/** The way in while nobody has to sign in. */
export function createOpenDoor({ settings, users, peers, createAccount }: OpenDoorDependencies) {
  const requireWithinReach = (request: IncomingMessage): void => {
    if (!peers.isLocal(request) && !settings.boolean(NETWORK_SWITCH))
      throw forbidden(
        `Sign-in is switched off for the machine of the gateway alone. ${NETWORK_SWITCH}=true lets in others.`,
      )
  }
  return {
    /** 403 for a request from another machine, as long as the door is open to this one only. */
    requireWithinReach,
    /**
     * The automatic account, made when there is none at all; 403 from other machines, 400 where it
     * is not the first account.
     */
    enter(request: IncomingMessage): UserRecord {
      requireWithinReach(request)
      const first = users.first()
      if (first && first.email !== AUTOMATIC.email)
        throw badRequest(
          'There are accounts here already, so sign-in cannot be switched off. Start the gateway without WEBUI_AUTH=false.',
          {
            code: 'existing_users',
          },
        )
      return first ?? createAccount({ ...AUTOMATIC, role: 'admin' })
    },
  }
}
