import { mkdirSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { App } from '../app.ts'
import { listeningAddresses } from '../auth/index.ts'
import type { Config } from '../config/config.ts'
import { removeDiscovery, writeDiscovery } from '../config/discovery.ts'
import { removeLocalAccess, writeLocalAccess } from '../config/local-access.ts'
import { createContext, type Context } from '../context.ts'
import { endConversations, readStopLimit } from '../http/end-conversations.ts'
import type { Logger } from '../lib/logger.ts'
import { GatewayResponse } from '../lib/serving/gateway-response.ts'
import { limitBodyTime } from '../lib/serving/limit-body-time.ts'
import { createServer, type ServerResponse } from '../lib/serving/node-http.ts'
import { isShared } from '../lib/serving/shared-connection.ts'
import { countPeriodicRun } from '../lib/tally.ts'
import { keepFewParsers, settleMemory } from '../lib/settle-memory.ts'
import { rememberConnections } from '../lib/outgoing/way-out.ts'
import { listen } from '../http/listen.ts'
import { createSecureListening } from '../http/listen-securely.ts'
import { refuseUnreadable } from '../http/refuse-unreadable.ts'
import { SERVER_LIMITS } from '../http/server-limits.ts'
import { Monitoring } from '../monitoring/index.ts'
import { createReadings } from './create-readings.ts'
import { countAnswers } from './count-answers.ts'
import { reachBucket } from './reach-bucket.ts'
import { openFoundation } from './open-foundation.ts'
import { backUpNow } from '../storage/backups/back-up-now.ts'
import { backUpIfDue } from '../storage/backups/back-up-regularly.ts'
import { pruneBackups } from '../storage/backups/backups.ts'
import { watchIntegrity } from '../storage/damage/check-integrity.ts'
import { openDataDirectory, type DataDirectory } from '../storage/data-directory.ts'
import { applyRestore } from '../storage/snapshots/restore.ts'

const UPKEEP_MILLISECONDS = 3_600_000
/**
 * Delay of the first upkeep; early, because short sessions would otherwise have no backups and a
 * full trash.
 */
const FIRST_UPKEEP_MILLISECONDS = 300_000
/**
 * Delay of the full check, which reads the whole file and therefore waits until after the start.
 */
const INTEGRITY_DELAY_MILLISECONDS = 10_000
/** Interval of looking whether the file of the database is still there. */
const PLACE_MILLISECONDS = 15_000

export interface Gateway {
  readonly url: string
  readonly port: number
  readonly context: Context
  /** Pauses or resumes calls of API clients. */
  setPaused(isPaused: boolean): void
  /** Returns how many answers are being written, for windows and for API clients. */
  countAnswers(): number
  /**
   * Copies the database, also stores the copy as a snapshot, and resolves with the file; `label`
   * names the operation that follows.
   */
  backUp(label: string): Promise<string>
  /**
   * Rejects new requests with an error message, lets running answers continue for `SHUTDOWN_GRACE`,
   * ends them cleanly and releases all resources.
   */
  stop(): Promise<void>
  /** Returns the number of milliseconds after which an unfinished stop has failed. */
  stopLimit(): number
}

/**
 * Locks the data directory, opens the database, binds the port and serves. Throws `StartError` with
 * a message on failure. `restart` stops it and starts another one in its place.
 */
export async function startGateway(
  config: Config,
  log: Logger,
  restart: (() => void) | null = null,
): Promise<Gateway> {
  const bucket = await reachBucket(config, log)
  // The list of outgoing connections is stored in the database, which is connected to first.
  if (config.databaseServer) rememberConnections()
  const directory = openDataDirectory(config.dataDir)
  try {
    const restored = applyRestore(directory.databaseFile)
    if (restored) log.warn({ ...restored }, 'a snapshot was restored at the start')
    const context = await createContext(
      await openFoundation(config, { databaseFile: directory.databaseFile, bucket, log }),
    )
    return await serve(context, directory, restart)
  } catch (error) {
    directory.release()
    throw error
  }
}

async function serve(
  context: Context,
  directory: DataDirectory,
  restart: (() => void) | null,
): Promise<Gateway> {
  const { config, log } = context
  await takeUp(context)
  await context.auth.open()
  await context.auth.accounts.createFirstAdmin()
  let addresses: ReadonlySet<string> = new Set()
  const { app, monitoring } = await openApp(context, (request) =>
    isShared(request) ? context.sharing.hosts() : addresses,
  )
  const server = openServer(app)
  const port = await listen(server, config.host, config.port)
  if (config.port !== 0 && port !== config.port)
    log.warn({ wanted: config.port, port }, 'the port is taken, using the next free one')
  addresses = listeningAddresses(config.host, port)

  const url = urlOf(config.host, port)
  writeLocalAccess(config, context.auth.localToken)
  writeDiscovery(config, url)
  context.storage.deletions.resume()
  await context.retrieval.resume()
  await context.files.resume()
  context.channels.resume()
  await context.webhooks.start()
  await context.automations.start()
  await context.calendars.start()
  context.timeMachine.start(restart)
  await context.plugins.resume(url)
  await context.sharing.open(createSecureListening(app))
  const endUpkeep = beginUpkeep(context, directory.databaseFile, restart)
  const stopSettling = settleMemory(() => GatewayResponse.activity)

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    app.beginShutdown()
    const automationsClosed = context.automations.close()
    endUpkeep()
    stopSettling()
    await endConversations(context, server, app.replies)
    await automationsClosed
    await context.calendars.close()
    await Promise.all([
      monitoring?.close(),
      context.sharing.close(),
      context.retrieval.close(),
      context.extraction.close(),
      context.audio.close(),
      context.webhooks.close(),
      context.timeMachine.close(),
    ])
    await Promise.all([
      context.providers.close(),
      context.providers.programs.close(),
      context.storage.deletions.close(),
      context.auth.close(),
    ])
    await context.engine.close()
    await context.outgoing.close()
    await leave(context)
    removeDiscovery(config)
    removeLocalAccess(config)
    context.storage.close()
    directory.release()
  }
  return {
    url,
    port,
    context,
    setPaused: (isPaused) => app.setPaused(isPaused),
    countAnswers: () => countAnswers(context, app),
    backUp: (label) => backUp(context, directory.databaseFile, label),
    stop: () => (stopped ??= stop()),
    stopLimit: () => readStopLimit(context),
  }
}

async function openApp(
  context: Context,
  addresses: (request: IncomingMessage) => ReadonlySet<string>,
): Promise<{ app: App; monitoring: Monitoring | null }> {
  const { config, log, requests } = context
  const readings = createReadings(context, () => app)
  const monitoring = await Monitoring.open({ config, log, readings })
  if (config.metricsAddress) requests.countTokens()
  const app: App = new App(context, addresses, monitoring)
  return { app, monitoring }
}

function openServer(app: App): Server {
  const server = createServer({
    ...SERVER_LIMITS,
    ServerResponse: GatewayResponse as typeof ServerResponse,
  })
  keepFewParsers()
  refuseUnreadable(server)
  server.on('request', (request, response) => {
    limitBodyTime(request, response)
    app.handleRequest(request, response)
  })
  server.on('upgrade', (request, socket, head) => app.handleUpgrade(request, socket, head))
  return server
}

/** Starts receiving messages of the other gateways, and ends the runs of those that are gone. */
async function takeUp(context: Context): Promise<void> {
  await context.events.open()
  await context.tasks.open()
  await context.images.open()
  await context.code.open()
  const unfinished = await closeUnfinished(context)
  if (unfinished > 0)
    context.log.warn({ count: unfinished }, 'answers left by the previous process were closed')
}

/** Leaves the other gateways. */
async function leave({ live }: Context): Promise<void> {
  await live?.replicas.close()
  live?.line.close()
}

/** Ends the runs of gateways that are gone, now and whenever another one disappears. */
async function closeUnfinished({ chats, live }: Context): Promise<number> {
  if (!live) return chats.closeUnfinished()
  const { replicas } = live
  replicas.onTakeOver(async (gone) => {
    await chats.closeUnfinished((replica) => replica === gone)
  })
  const present = replicas.present
  return chats.closeUnfinished((replica) => replica === null || !present.has(replica))
}

/**
 * Creates a file from which any version can start, and a snapshot of the same state with the
 * uploads.
 */
async function backUp(
  { storage, timeMachine }: Context,
  databaseFile: string,
  label: string,
): Promise<string> {
  const backup = await backUpNow(storage, label)
  pruneBackups(databaseFile, 'other')
  await timeMachine.takeOf(backup.path, label)
  return backup.path
}

/** Starts the periodic upkeep of the database; returns a function that ends it. */
function beginUpkeep(
  context: Context,
  databaseFile: string,
  restart: (() => void) | null,
): () => void {
  // Only one of several gateways does this.
  const isDue = (): boolean => context.live?.replicas.isLeader ?? true
  const run = (): void => void (isDue() && keepUp(context, databaseFile))
  const check = (): void => void checkDatabase(context, databaseFile)
  const timers = [
    ...(context.storage.engine === 'sqlite'
      ? [setTimeout(check, INTEGRITY_DELAY_MILLISECONDS).unref()]
      : []),
    setInterval(() => watchPlace(context, restart), PLACE_MILLISECONDS).unref(),
    setTimeout(run, FIRST_UPKEEP_MILLISECONDS).unref(),
    setInterval(run, UPKEEP_MILLISECONDS).unref(),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** Restarts once the data folder was deleted, which writes the database to it again. */
function watchPlace({ config, log, storage }: Context, restart: (() => void) | null): void {
  if (!storage.isGone || !restart) return
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    restart()
  } catch (error) {
    log.error({ error }, 'the data folder is gone and cannot be created; what is written is lost')
  }
}

/**
 * Empties the trash gradually, takes the daily backup and deletes data beyond its retention period.
 */
async function keepUp(
  { chats, files, log, storage }: Context,
  databaseFile: string,
): Promise<void> {
  try {
    await chats.purgeTrash()
    await storage.deletions.tidy()
    const backup = storage.engine === 'sqlite' ? await backUpIfDue(storage, databaseFile) : null
    if (backup) {
      countPeriodicRun('backup')
      log.info({ backup: backup.path }, 'database backed up')
    }
    await files.keepUp()
    countPeriodicRun('upkeep')
  } catch (error) {
    log.error({ error }, 'the hourly maintenance of the database failed')
  }
}

async function checkDatabase({ log, storage }: Context, file: string): Promise<void> {
  // A file that is gone is no damage of what closing writes in its place.
  if (storage.isGone) return
  try {
    await watchIntegrity(file, (fault) =>
      log.error({ fault }, 'the database is damaged; the next start offers its backups'),
    )
    countPeriodicRun('integrity_check')
  } catch (error) {
    log.warn({ error }, 'the check of the database could not be finished')
  }
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
