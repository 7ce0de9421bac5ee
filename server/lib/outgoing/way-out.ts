// The only exit of this process: every TCP connection passes through here, whichever code opens it,
// so that no part of the gateway, and no library it uses, can bypass the check.
import { errorMonitor, type EventEmitter } from 'node:events'
import { Socket, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { forbidden, type ServiceError } from '../errors.ts'
import { isLoopbackHost } from './host-address.ts'
import { currentPurpose, type Purpose } from './purpose.ts'

/** Destination of a connection, as requested. */
export interface Target {
  readonly host: string
  readonly port: number
  /** Display name of the proxy used; absent for a direct connection. */
  readonly via?: string
}

/** Callbacks for one connection to another computer, in this order. */
export interface ConnectionNotes {
  /** Called when a byte is about to be sent to this IP address. */
  dialled(address: string): void
  ended(bytes: Traffic, fault: string | null): void
  opened(connection: OpenConnection): void
}

export interface OpenConnection {
  /** Returns the traffic so far. */
  readonly read: () => Traffic
  /** Closes it at once; anything in progress fails with the error. */
  readonly end: (error: Error) => void
}

export interface Traffic {
  readonly sent: number
  readonly received: number
}

/** Decides about connections and is notified of them. */
export interface Watcher {
  /** Returns false for connections within this computer, which are neither reported nor refused. */
  isElsewhere(host: string): boolean
  /** While sealed, no resolver is asked for the address of `localhost`. */
  isSealed(): boolean
  /** Returns the reason why a connection is not opened; null if it is allowed. */
  refusal(target: Target, purpose: Purpose): ServiceError | null
  refused(target: Target, purpose: Purpose, code: string): void
  begun(target: Target, purpose: Purpose): ConnectionNotes
}

const watchers = new Set<Watcher>()

/**
 * Returns true for `localhost`. No resolver is asked for this name, so that a false response cannot
 * redirect it.
 */
const isOwnName = (host: string): boolean => host.toLowerCase() === 'localhost'

/**
 * Returns false for `localhost`, which is not resolved while sealed, and for loopback addresses.
 */
export const isElsewhere = (host: string): boolean => !isLoopbackHost(host)

export const sealedError = (host: string): ServiceError =>
  forbidden(
    `Sealed mode is on, so nothing leaves the gateway’s computer: ${host} was not contacted. An administrator can change that in the settings.`,
    { code: 'sealed', facts: { host } },
  )

/**
 * Throws the error a connection would fail with, and lists it; for outgoing connections other than
 * sockets of this process, such as those of programs it starts.
 */
export function requireWayOut(target: Target, purpose: Purpose): void {
  const refusal = findRefusal(target, purpose)
  if (refusal) throw refusal
}

/** Returns true if a connection would be refused; nothing is listed. */
export const isWayOutClosed = (target: Target, purpose: Purpose): boolean =>
  [...watchers].some(
    (watcher) => watcher.isElsewhere(target.host) && watcher.refusal(target, purpose) !== null,
  )

function findRefusal(target: Target, purpose: Purpose): ServiceError | null {
  for (const watcher of watchers) {
    if (!watcher.isElsewhere(target.host)) continue
    const refusal = watcher.refusal(target, purpose)
    if (!refusal) continue
    watcher.refused(target, purpose, refusal.code)
    return refusal
  }
  return null
}

type ConnectOptions = Partial<TcpSocketConnectOpts> & { path?: string }

/** Returns true for a Windows pipe that leads to another computer. */
const isForeignPipe = (path: string): boolean => /^[\\/]{2}(?![.?][\\/])/.test(path)

/**
 * Returns the options from the arguments of `connect`; those of `net.connect` are passed as a list.
 */
function readTarget(given: readonly unknown[]): ConnectOptions {
  const [first, second] = given
  if (Array.isArray(first)) return (first[0] ?? {}) as ConnectOptions
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first }
  return { port: Number(first), ...(typeof second === 'string' && { host: second }) }
}

function toTarget({ path, host, port }: ConnectOptions): Target | null {
  if (typeof path === 'string')
    return isForeignPipe(path) ? { host: path.split(/[\\/]+/)[1] ?? path, port: 445 } : null
  return { host: host ?? 'localhost', port: Number(port) }
}

/** Resolves `localhost` without a resolver. */
const lookUpOwn: LookupFunction = (_, options, done) => {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ].filter(({ family }) => !options.family || options.family === family)
  if (options.all === true) done(null, found)
  else done(null, found[0]!.address, found[0]!.family)
}

/**
 * Returns the same arguments with `localhost` resolved to this computer, regardless of the
 * resolver.
 */
function withOwnLookup(given: readonly unknown[]): unknown[] {
  const options = { ...readTarget(given), lookup: lookUpOwn }
  const [first] = given
  if (!Array.isArray(first)) return [options, ...given.filter((each) => typeof each === 'function')]
  first[0] = options
  return [first]
}

/** A connection that was opened before there was a watcher. */
interface EarlyConnection {
  readonly target: Target
  readonly purpose: Purpose
}

let early: Map<Socket, EarlyConnection> | null = null

/** Remembers connections from now on until they are handed over to a watcher. */
export function rememberConnections(): void {
  putInPlace()
  early ??= new Map()
}

function remember(socket: Socket, connection: EarlyConnection): void {
  early?.set(socket, connection)
  socket.once('close', () => early?.delete(socket))
}

/** Notifies a watcher of the remembered connections that are still open. */
function handOver(watcher: Watcher): void {
  for (const [socket, { target, purpose }] of early ?? []) {
    const address = socket.remoteAddress
    if (address === undefined || !watcher.isElsewhere(address)) continue
    const notes = watcher.begun(target, purpose)
    const read = (): Traffic => ({ sent: socket.bytesWritten, received: socket.bytesRead })
    notes.opened({ read, end: (error) => socket.destroy(error) })
    notes.dialled(address)
    socket.once('close', () => notes.ended(read(), null))
  }
  early = null
}

function follow(socket: Socket, target: Target, purpose: Purpose, watcher: Watcher): void {
  let notes: ConnectionNotes | null = null
  let fault: string | null = null
  let isNear = false
  const begin = (): ConnectionNotes => {
    if (notes) return notes
    notes = watcher.begun(target, purpose)
    notes.opened({
      read: () => ({ sent: socket.bytesWritten, received: socket.bytesRead }),
      end: (error) => socket.destroy(error),
    })
    return notes
  }
  socket.on('connectionAttempt', (address: string) => {
    // A local proxy is only the first hop.
    isNear = target.via === undefined && !watcher.isElsewhere(address)
    if (isNear) return
    begin().dialled(address)
    // Sealed mode may have been switched on while the name was resolved.
    const refusal = watcher.refusal(target, purpose)
    if (refusal) process.nextTick(() => socket.destroy(refusal))
  })
  const events: EventEmitter = socket
  events.once(errorMonitor, (error: NodeJS.ErrnoException) => {
    fault = error.code ?? error.name
    // The name was resolved externally.
    if (!isNear) begin()
  })
  socket.once('close', () => {
    notes?.ended({ sent: socket.bytesWritten, received: socket.bytesRead }, fault)
  })
}

const isSealed = (): boolean => [...watchers].some((watcher) => watcher.isSealed())

/** Destinations of connections opened to a proxy. */
const led = new WeakMap<Socket, Target>()

/**
 * Sets the actual destination of a connection to a proxy, before it is opened: this is what is
 * checked and listed, wherever the proxy is.
 */
export const leadTo = (socket: Socket, target: Target): void => void led.set(socket, target)

type Connect = (this: Socket, ...given: unknown[]) => Socket

function takePlace(connect: Connect): Connect {
  return function (...given) {
    if (watchers.size === 0 && !early) return connect.apply(this, given)
    const far = led.get(this)
    const target = far ?? toTarget(readTarget(given))
    if (!target) return connect.apply(this, given)
    if (!far && isOwnName(target.host))
      return connect.apply(this, isSealed() ? withOwnLookup(given) : given)
    const purpose = currentPurpose()
    if (watchers.size === 0) remember(this, { target, purpose })
    const refusal = findRefusal(target, purpose)
    if (refusal) {
      process.nextTick(() => this.destroy(refusal))
      return this
    }
    for (const watcher of watchers)
      if (watcher.isElsewhere(target.host)) follow(this, target, purpose, watcher)
    return connect.apply(this, given)
  }
}

let isInPlace = false

/** @NOTE Node has no hook that can refuse a connection, and libraries bundle their own clients; all
 *   of them use this one method.
 */
function putInPlace(): void {
  if (isInPlace) return
  isInPlace = true
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the socket as `this`
  const connect = Socket.prototype.connect as Connect
  Socket.prototype.connect = takePlace(connect) as typeof Socket.prototype.connect
}

/**
 * Makes a watcher decide about every connection from now on; returns a function that ends this. One
 * that lasts is notified of remembered connections too.
 */
export function watchWayOut(
  watcher: Watcher,
  { lasts = false }: { lasts?: boolean } = {},
): () => void {
  putInPlace()
  if (lasts) handOver(watcher)
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
