import { homedir } from 'node:os'
import { secretFolders } from '../config/default-data-folder.ts'
import type { Environment } from '../config/env.ts'
import { parseConfig } from '../config/parse-config.ts'
import { StartError } from '../config/start-error.ts'
import {
  openDesktopChannel,
  type DesktopChannel,
  type MessageFromMain,
  type MessageToMain,
  type StartMessage,
} from './desktop-channel.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { systemProxies } from '../lib/outgoing/system-proxies.ts'
import { requireWayOut } from '../lib/outgoing/way-out.ts'
import { LastingGateway } from './lasting-gateway.ts'
import type { Gateway } from './start-gateway.ts'
import { surviveFaults } from './survive-faults.ts'
import { SystemProxies } from './system-proxies.ts'

/** Runs the gateway for the lifetime of this process. */
export async function runProcess(environment: Environment): Promise<void> {
  // All files of this process are readable only by their owner.
  process.umask(0o077)
  const channel = environment['DESKTOP_CHANNEL'] ? openDesktopChannel() : null
  if (channel) runForDesktop(channel, environment)
  else await runHeadless(environment)
}

async function runHeadless(environment: Environment): Promise<void> {
  let log = createLogger('info')
  try {
    const config = parseConfig(environment)
    log = createLogger(config.logLevel)
    const lasting = await LastingGateway.start({
      config,
      log,
      onStartedAgain: sayReady,
      onFailure: (error) => process.exit(reportStartFailure(error, log)),
    })
    surviveFaults(log)
    stopOnSignals(lasting, log)
    const gateway = lasting.current
    sayReady(gateway)
    const setupCode = await gateway.context.auth.setupCode.current()
    if (setupCode !== null)
      process.stderr.write(
        `Callers from other machines, or through a proxy, need this setup code for the first account: ${setupCode}\n`,
      )
  } catch (error) {
    process.exit(reportStartFailure(error, log))
  }
}

function sayReady({ url }: Gateway): void {
  process.stdout.write(`Chat Gateway ready at ${url}\n`)
}

/**
 * The message is written to stderr unchanged, because it is meant for the user; unexpected errors
 * are logged.
 */
function reportStartFailure(error: unknown, log: Logger): number {
  if (error instanceof StartError) {
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  log.fatal({ error }, 'the gateway could not start')
  return 1
}

/** The first signal starts a stop, a second one exits without waiting for it. */
function stopOnSignals(gateway: LastingGateway, log: Logger): void {
  let isStopping = false
  const stop = (): void => {
    if (isStopping) process.exit(1)
    isStopping = true
    void stopAndExit(gateway, log)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * Stops the gateway and exits. A hanging stop is aborted at its limit, for which the desktop app
 * and service managers wait.
 */
async function stopAndExit(gateway: LastingGateway, log: Logger): Promise<void> {
  setTimeout(() => process.exit(1), gateway.current.stopLimit()).unref()
  try {
    await gateway.stop()
    process.exit(0)
  } catch (error) {
    log.error({ error }, 'the gateway did not stop cleanly')
    process.exit(1)
  }
}

function runForDesktop(channel: DesktopChannel, environment: Environment): void {
  let starting: Promise<LastingGateway | null> | undefined
  const proxies = new SystemProxies(channel)
  systemProxies.ask = (origin) => proxies.ask(origin)
  const answer = async (message: DesktopQuestion): Promise<void> => {
    const gateway = await starting
    if (gateway) await answerDesktop(channel, gateway.current, message)
  }
  const stop = () => {
    if (!starting) process.exit(0)
    void starting.then((gateway) =>
      gateway ? stopAndExit(gateway, gateway.current.context.log) : process.exit(1),
    )
  }
  channel.onMessage((message) => {
    if (message.type === 'start') starting ??= startForDesktop(channel, environment, message)
    else if (message.type === 'stop') stop()
    else if (message.type === 'proxies') proxies.take(message)
    else void answer(message)
  })
  channel.onClosed(stop)
  process.once('SIGTERM', stop)
  process.on('SIGINT', () => undefined)
}

type DesktopQuestion = Exclude<MessageFromMain, { type: 'start' | 'stop' | 'proxies' }>

async function answerDesktop(
  channel: DesktopChannel,
  gateway: Gateway,
  message: DesktopQuestion,
): Promise<void> {
  if (message.type === 'pause') gateway.setPaused(message.isPaused)
  else if (message.type === 'activity')
    channel.send({ type: 'activity', answers: gateway.countAnswers() })
  else if (message.type === 'leave')
    channel.send({ type: 'leave', isAllowed: isAllowedToLeave(message) })
  else if (message.type === 'window-traffic') gateway.context.outgoing.windows.take(message)
  else if (message.type === 'back-up')
    channel.send({ type: 'backed-up', ...(await backUp(gateway, message.label)) })
  else {
    const code = await gateway.context.auth.accounts.createDesktopCode()
    channel.send({ type: 'desktop-code', code })
  }
}

type LeaveQuestion = Extract<DesktopQuestion, { type: 'leave' }>

/**
 * Returns true if the app may contact the host. A refusal is listed like that of any other
 * connection.
 */
function isAllowedToLeave({ host, port, purpose }: LeaveQuestion): boolean {
  try {
    requireWayOut({ host, port }, { kind: purpose })
    return true
  } catch {
    return false
  }
}

async function backUp(gateway: Gateway, label: string) {
  try {
    return { file: await gateway.backUp(label), problem: null }
  } catch (error) {
    gateway.context.log.error({ error }, 'the copy of the database could not be made')
    return { file: null, problem: error instanceof Error ? error.message : String(error) }
  }
}

async function startForDesktop(
  channel: DesktopChannel,
  environment: Environment,
  message: StartMessage,
): Promise<LastingGateway | null> {
  let log = createLogger('info')
  try {
    const config = parseConfig(environment, {
      mode: 'desktop',
      closedFolders: [
        ...secretFolders(environment, { platform: process.platform, homeFolder: homedir() }),
        message.profile,
      ],
      dataDir: message.dataDir,
      port: message.port,
      secretKey: message.rootSecret,
      ...(message.logLevel && { logLevel: message.logLevel }),
    })
    log = createLogger(config.logLevel)
    const sayReady = (gateway: Gateway, isAnew: boolean): void => {
      tellSealed(channel, gateway)
      channel.send({ type: 'ready', url: gateway.url, port: gateway.port, isAnew })
    }
    const gateway = await LastingGateway.start({
      config,
      log,
      onStartedAgain: (again) => sayReady(again, true),
      onFailure: (error) => channel.send(describeFailure(error, log)),
    })
    surviveFaults(log)
    sayReady(gateway.current, false)
    return gateway
  } catch (error) {
    channel.send(describeFailure(error, log))
    return null
  }
}

/** Tells the app when sealed mode changes, because some of its own downloads depend on it. */
function tellSealed(channel: DesktopChannel, { context: { settings } }: Gateway): void {
  settings.onChange(async (keys) => {
    if (keys.includes('SEALED_MODE'))
      channel.send({ type: 'sealed', isSealed: settings.get('SEALED_MODE') })
  })
}

function describeFailure(error: unknown, log: Logger): MessageToMain {
  const known = error instanceof StartError ? error : null
  if (!known) log.fatal({ error }, 'the gateway could not start')
  const choices = known && 'choices' in known ? { choices: known.choices as string[] } : {}
  return {
    type: 'failed',
    reason: known?.reason ?? 'other',
    message: known?.message ?? 'The gateway could not start. The log has the details.',
    ...choices,
  }
}
