import { homedir } from 'node:os'
import { secretFolders } from '../config/default-data-folder.ts'
import type { Environment } from '../config/env.ts'
import { parseConfig } from '../config/parse-config.ts'
import { StartError } from '../config/start-error.ts'
import { openDesktopChannel, type DesktopChannel, type StartMessage } from './desktop-channel.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { startGateway, type Gateway } from './start-gateway.ts'

/** Runs the gateway for the life of this process. */
export async function runProcess(environment: Environment): Promise<void> {
  // Whatever this process writes is for its owner only.
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
    const gateway = await startGateway(config, log)
    stopOnSignals(gateway, log)
    process.stdout.write(`Chat Gateway ready at ${gateway.url}\n`)
    const setupCode = await gateway.context.auth.setupCode.current()
    if (setupCode !== null)
      process.stderr.write(
        `Callers from other machines, or through a proxy, need this setup code for the first account: ${setupCode}\n`,
      )
  } catch (error) {
    process.exit(reportStartFailure(error, log))
  }
}

/**
 * The sentence goes to stderr as it is, since it is meant for a person; anything unexpected goes to
 * the log.
 */
function reportStartFailure(error: unknown, log: Logger): number {
  if (error instanceof StartError) {
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  log.fatal({ error }, 'the gateway could not start')
  return 1
}

/** The first signal asks for a stop, a second one does not wait for it. */
function stopOnSignals(gateway: Gateway, log: Logger): void {
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
 * A stop that hangs is cut at its limit, which is what the desktop app and service managers wait
 * for.
 */
async function stopAndExit(gateway: Gateway, log: Logger): Promise<void> {
  setTimeout(() => process.exit(1), gateway.stopLimit()).unref()
  try {
    await gateway.stop()
    process.exit(0)
  } catch (error) {
    log.error({ error }, 'the gateway did not stop cleanly')
    process.exit(1)
  }
}

function runForDesktop(channel: DesktopChannel, environment: Environment): void {
  let starting: Promise<Gateway | null> | undefined
  const withGateway = async (use: (gateway: Gateway) => Promise<void>) => {
    const gateway = await starting
    if (gateway) await use(gateway)
  }
  const stop = () => {
    if (!starting) process.exit(0)
    void starting.then((gateway) =>
      gateway ? stopAndExit(gateway, gateway.context.log) : process.exit(1),
    )
  }
  channel.onMessage((message) => {
    if (message.type === 'start') starting ??= startForDesktop(channel, environment, message)
    else if (message.type === 'stop') stop()
    else if (message.type === 'pause')
      void withGateway(async (gateway) => gateway.setPaused(message.isPaused))
    else
      void withGateway(async ({ context }) =>
        channel.send({
          type: 'desktop-code',
          code: await context.auth.accounts.createDesktopCode(),
        }),
      )
  })
  channel.onClosed(stop)
  process.once('SIGTERM', stop)
  process.on('SIGINT', () => undefined)
}

async function startForDesktop(
  channel: DesktopChannel,
  environment: Environment,
  message: StartMessage,
): Promise<Gateway | null> {
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
    const gateway = await startGateway(config, log)
    channel.send({ type: 'ready', url: gateway.url, port: gateway.port })
    return gateway
  } catch (error) {
    const known = error instanceof StartError ? error : null
    if (!known) log.fatal({ error }, 'the gateway could not start')
    const choices = known && 'choices' in known ? { choices: known.choices as string[] } : {}
    channel.send({
      type: 'failed',
      reason: known?.reason ?? 'other',
      message: known?.message ?? 'The gateway could not start. The log has the details.',
      ...choices,
    })
    return null
  }
}
