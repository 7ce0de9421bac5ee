// The one way out of this process: every connection of TCP passes here, whoever opens it, so that
// no part of the gateway, and no library it uses, can forget to ask.
import { errorMonitor, type EventEmitter } from 'node:events'
import { Socket, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { forbidden, type ServiceError } from './errors.ts'
import { isLoopbackHost } from './host-address.ts'
import { currentPurpose, type Purpose } from './purpose.ts'

/** Where a connection is to lead, as it was asked for. */
export interface Target {
  readonly host: string
  readonly port: number
  /** The proxy that leads there, as people read it; absent where the way is straight. */
  readonly via?: string
}

/** What is told of one connection to another computer, in this order. */
export interface ConnectionNotes {
  /** A byte is about to leave for this address. */
  dialled(address: string): void
  ended(bytes: Traffic, fault: string | null): void
  opened(connection: OpenConnection): void
}

export interface OpenConnection {
  /** How much went so far. */
  readonly read: () => Traffic
  /** Ends it at once; whatever is under way fails with the error. */
  readonly end: (error: Error) => void
}

export interface Traffic {
  readonly sent: number
  readonly received: number
}

/** Decides about connections and hears of them. */
export interface Watcher {
  /** False for what stays on this computer, which nobody hears of and nothing is refused. */
  isElsewhere(host: string): boolean
  /** While sealed, nobody is asked for the address of `localhost`. */
  isSealed(): boolean
  /** Why a connection is not opened; null when it may be. */
  refusal(target: Target): ServiceError | null
  refused(target: Target, purpose: Purpose, code: string): void
  begun(target: Target, purpose: Purpose): ConnectionNotes
}

const watchers = new Set<Watcher>()

/** Nobody is asked for this name, so that a false answer can lead nowhere. */
const isOwnName = (host: string): boolean => host.toLowerCase() === 'localhost'

/** What stays on this computer: `localhost`, which is not looked up while sealed, and loopback. */
export const isElsewhere = (host: string): boolean => !isLoopbackHost(host)

export const sealedError = (host: string): ServiceError =>
  forbidden(
    `Sealed mode is on, so nothing leaves the gateway’s computer: ${host} was not contacted. An administrator can change that in the settings.`,
    { code: 'sealed', facts: { host } },
  )

/**
 * Throws what a connection would fail with, and has it listed; for ways out that are not sockets of
 * this process, such as programs it starts.
 */
export function requireWayOut(target: Target, purpose: Purpose): void {
  const refusal = findRefusal(target, purpose)
  if (refusal) throw refusal
}

function findRefusal(target: Target, purpose: Purpose): ServiceError | null {
  for (const watcher of watchers) {
    if (!watcher.isElsewhere(target.host)) continue
    const refusal = watcher.refusal(target)
    if (!refusal) continue
    watcher.refused(target, purpose, refusal.code)
    return refusal
  }
  return null
}

type ConnectOptions = Partial<TcpSocketConnectOpts> & { path?: string }

/** A pipe of Windows may lead to another computer. */
const isForeignPipe = (path: string): boolean => /^[\\/]{2}(?![.?][\\/])/.test(path)

/** The options among the arguments of `connect`; those of `net.connect` come as a list. */
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

/** Answers for `localhost` without asking. */
const lookUpOwn: LookupFunction = (_, options, done) => {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ].filter(({ family }) => !options.family || options.family === family)
  if (options.all === true) done(null, found)
  else done(null, found[0]!.address, found[0]!.family)
}

/** The same arguments with `localhost` led to this computer, whoever answers for names. */
function withOwnLookup(given: readonly unknown[]): unknown[] {
  const options = { ...readTarget(given), lookup: lookUpOwn }
  const [first] = given
  if (!Array.isArray(first)) return [options, ...given.filter((each) => typeof each === 'function')]
  first[0] = options
  return [first]
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
    // A proxy on this computer is only the first part of the way.
    isNear = target.via === undefined && !watcher.isElsewhere(address)
    if (isNear) return
    begin().dialled(address)
    // It was sealed while the name was looked up.
    const refusal = watcher.refusal(target)
    if (refusal) process.nextTick(() => socket.destroy(refusal))
  })
  const events: EventEmitter = socket
  events.once(errorMonitor, (error: NodeJS.ErrnoException) => {
    fault = error.code ?? error.name
    // The name was asked for elsewhere.
    if (!isNear) begin()
  })
  socket.once('close', () => {
    notes?.ended({ sent: socket.bytesWritten, received: socket.bytesRead }, fault)
  })
}

const isSealed = (): boolean => [...watchers].some((watcher) => watcher.isSealed())

/** Where connections lead that are opened to a proxy. */
const led = new WeakMap<Socket, Target>()

/**
 * Says where a connection to a proxy really leads, before it is opened: that is what is judged and
 * listed, wherever the proxy is.
 */
export const leadTo = (socket: Socket, target: Target): void => void led.set(socket, target)

type Connect = (this: Socket, ...given: unknown[]) => Socket

function takePlace(connect: Connect): Connect {
  return function (...given) {
    const far = led.get(this)
    const target = watchers.size === 0 ? null : (far ?? toTarget(readTarget(given)))
    if (!target) return connect.apply(this, given)
    if (!far && isOwnName(target.host))
      return connect.apply(this, isSealed() ? withOwnLookup(given) : given)
    const purpose = currentPurpose()
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

/**
 * Has a watcher asked about every connection from now on; answers how to end that.
 *
 * @NOTE There is no hook of Node that can refuse a connection, and libraries bring clients of their
 *   own; all of them end at this one method.
 */
export function watchWayOut(watcher: Watcher): () => void {
  if (!isInPlace) {
    isInPlace = true
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the socket of the call
    const connect = Socket.prototype.connect as Connect
    Socket.prototype.connect = takePlace(connect) as typeof Socket.prototype.connect
  }
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
