import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import { parseConfig } from '../config/parse-config.ts'
import type { Context } from '../context.ts'
import { createLogger } from '../lib/logger.ts'
import { startGateway } from '../process/start-gateway.ts'
import { databaseInsteadOf, dropDatabaseOf } from './create-postgres-test-storage.ts'
import { isOnPostgres, writeEmptyDatabase } from './create-test-storage.ts'

export interface TestServerOptions {
  /** Environment of the gateway; nothing of the test process's environment is passed on. */
  readonly environment?: Readonly<Record<string, string>>
  readonly config?: Partial<Config>
  /** Data folder of an earlier server to reuse. */
  readonly dataDir?: string
}

/** The whole gateway in this process, on a free loopback port, with its own data folder. */
export interface TestServer {
  readonly url: string
  readonly dataDir: string
  readonly context: Context
  /** Makes a call with a JSON body and, if given, a bearer token or API key. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; headers?: Record<string, string> },
  ): Promise<Response>
  /** Signs up an account; the first one is the administrator. Resolves with its session token. */
  signUp(name: string): Promise<string>
  /** Stops the gateway; removes the data unless `keep`. */
  close(options?: { keep?: boolean }): Promise<void>
}

const PASSWORD = 'correct horse battery'

async function sessionToken(response: Response): Promise<string> {
  const session = (await response.json()) as { token?: string }
  if (!session.token) throw new Error(`No session: ${response.status} ${JSON.stringify(session)}`)
  return session.token
}

function createDataDir(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-test-'))
  if (!isOnPostgres) writeEmptyDatabase(path.join(dataDir, 'chat-gateway.db'))
  return dataDir
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? createDataDir()
  // Disables detection on this machine, Python for installing packages, and arena entries in every
  // list of models.
  const quiet = {
    LLMHOST_BASE_URLS: '',
    ENABLE_BUILT_IN_RUNTIME: 'false',
    LOCAL_RUNTIME_PORTS: '',
    PLUGIN_PYTHON: '/nowhere/python3',
    ENABLE_EVALUATION_ARENA_MODELS: 'false',
    SHUTDOWN_GRACE: '0',
    // All tests sign up from the same IP address.
    SIGNUP_TRIES_PER_ADDRESS: '1000',
    LOG_LEVEL: 'error',
  }
  const database = await databaseInsteadOf(dataDir)
  const environment = {
    ...quiet,
    ...database,
    ...options.environment,
    DATA_DIR: dataDir,
    PORT: '0',
  }
  const config = parseConfig(environment, { nvidiaDriver: '/nowhere', ...options.config })
  const gateway = await startGateway(config, createLogger(config.logLevel))

  const call: TestServer['call'] = (method, target, { body, token, headers } = {}) =>
    fetch(gateway.url + target, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })

  return {
    url: gateway.url,
    dataDir,
    context: gateway.context,
    call,
    async signUp(name) {
      const email = `${name.toLowerCase().replace(/\W+/g, '-')}@example.com`
      return sessionToken(
        await call('POST', '/api/v1/auths/signup', { body: { name, email, password: PASSWORD } }),
      )
    },
    async close({ keep = false } = {}) {
      await gateway.stop()
      if (keep) return
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabaseOf(dataDir)
    },
  }
}
