import { isIP } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Config } from './config.ts'
import { defaultDataFolder, secretFolders } from './default-data-folder.ts'
import type { Environment } from './env.ts'
import { parseDatabaseUrl } from './parse-database-url.ts'
import { parseMetricsAddress } from './parse-metrics-address.ts'
import { parseTraceReceiver } from './parse-trace-receiver.ts'
import { parseRedisUrl } from './parse-redis-url.ts'
import { findInterface, readProgram } from './program.ts'
import { parseObjectStore } from './parse-object-store.ts'
import { refuse } from './refuse.ts'

const API_VERSION = '0.9.6'
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8642

const LOG_LEVELS: Readonly<Record<string, string>> = {
  fatal: 'fatal',
  critical: 'fatal',
  error: 'error',
  warn: 'warn',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
  silent: 'silent',
}

function parseHost(text = ''): string {
  const host = text.trim().replace(/^\[(.*)\]$/, '$1')
  if (host === '') return DEFAULT_HOST
  const isName =
    /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(host) &&
    !/^[\d.]+$/.test(host)
  return isIP(host) || isName
    ? host
    : refuse('HOST', text, 'an IP address or a host name, without port')
}

function parsePort(text = ''): number {
  if (text.trim() === '') return DEFAULT_PORT
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN
  return port <= 65_535
    ? port
    : refuse('PORT', text, 'a number from 0 to 65535, 0 for any free port')
}

function parseLogLevel({ LOG_LEVEL, GLOBAL_LOG_LEVEL }: Environment): string {
  const text = LOG_LEVEL || GLOBAL_LOG_LEVEL || 'info'
  const level = Object.hasOwn(LOG_LEVELS, text.toLowerCase())
    ? LOG_LEVELS[text.toLowerCase()]
    : undefined
  return (
    level ??
    refuse(LOG_LEVEL ? 'LOG_LEVEL' : 'GLOBAL_LOG_LEVEL', text, Object.keys(LOG_LEVELS).join(', '))
  )
}

function parseRecovery(text = ''): Config['databaseRecovery'] {
  if (text === '') return null
  if (text === 'without-log' || text === 'restore' || text === 'fresh') return text
  return refuse('DATABASE_RECOVERY', text, 'without-log, restore, fresh, or empty')
}

function parseSocketIoWebsockets(text = ''): boolean {
  const value = text.trim().toLowerCase()
  if (value === '' || value === 'true') return true
  return value !== 'false' && refuse('ENABLE_WEBSOCKET_SUPPORT', text, 'true or false')
}

function parseIsDevelopment(text = ''): boolean {
  if (text === '' || text === 'prod') return false
  return text === 'dev' || refuse('ENV', text, 'dev or prod')
}

function parseDataFolder(environment: Environment): string {
  const chosen = environment.DATA_DIR?.trim()
  return path.resolve(
    chosen || defaultDataFolder(environment, { platform: process.platform, homeFolder: homedir() }),
  )
}

/**
 * Builds the configuration from the environment. `overrides` take precedence and are used
 * unchanged; the desktop app and tests pass their choices there. Throws a `StartError` naming
 * variable, value and what is allowed.
 */
export function parseConfig(environment: Environment, overrides: Partial<Config> = {}): Config {
  const program = readProgram()
  const uiDir =
    environment.UI_DIR === undefined
      ? findInterface(program)
      : environment.UI_DIR && path.resolve(environment.UI_DIR)
  return Object.freeze({
    mode: 'server' as const,
    environment,
    hasSocketIoWebsockets: parseSocketIoWebsockets(environment['ENABLE_WEBSOCKET_SUPPORT']),
    isDevelopment: parseIsDevelopment(environment.ENV),
    host: parseHost(environment.HOST),
    port: parsePort(environment.PORT),
    dataDir: parseDataFolder(environment),
    closedFolders: secretFolders(environment, {
      platform: process.platform,
      homeFolder: homedir(),
    }),
    uiDir: uiDir || null,
    logLevel: parseLogLevel(environment),
    secretKey: environment.WEBUI_SECRET_KEY || null,
    databaseRecovery: parseRecovery(environment.DATABASE_RECOVERY),
    databaseServer: parseDatabaseUrl(environment),
    metricsAddress: parseMetricsAddress(environment),
    traceReceiver: parseTraceReceiver(environment),
    objectStore: parseObjectStore(environment),
    redisUrl: parseRedisUrl(environment),
    productVersion: program.version,
    apiVersion: API_VERSION,
    ...overrides,
  })
}
