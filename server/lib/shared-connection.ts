import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The connections that came by the listener for devices of the network. */
const shared = new WeakSet<Duplex>()

export const markShared = ({ socket }: IncomingMessage): void => void shared.add(socket)

/**
 * Whether a request came by the listener for devices of the network. Whatever address it comes
 * from, it is none of this machine and none of a proxy.
 */
export const isShared = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => shared.has(socket)
