import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Connections accepted by the listener for devices of the network. */
const shared = new WeakSet<Duplex>()

export const markShared = ({ socket }: IncomingMessage): void => void shared.add(socket)

/**
 * Returns true if a request arrived at the listener for devices of the network. Whatever its source
 * address, it comes neither from this computer nor from a proxy.
 */
export const isShared = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => shared.has(socket)
