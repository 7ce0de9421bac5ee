import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
/** Prepared by `npm test`. */
const PYTHON = path.join(root, 'out/jupyter-python/bin/python')

/** True if the machine has a Jupyter server. */
export const hasJupyter = existsSync(PYTHON)

export interface JupyterProcess {
  readonly url: string
  close(): Promise<void>
}

/** Starts a real Jupyter server on loopback that requires a token or a password. */
export async function startJupyter(
  secret: { readonly token: string } | { readonly password: string },
): Promise<JupyterProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-jupyter-'))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    JUPYTER_CONFIG_DIR: folder,
    JUPYTER_DATA_DIR: folder,
    JUPYTER_RUNTIME_DIR: folder,
    IPYTHONDIR: folder,
    JUPYTER_PREFER_ENV_PATH: '1',
  }
  const hash = (password: string): string =>
    execFileSync(
      PYTHON,
      [
        '-c',
        'import sys; from jupyter_server.auth import passwd; print(passwd(sys.argv[1]))',
        password,
      ],
      {
        encoding: 'utf8',
      },
    ).trim()
  const signIn =
    'token' in secret
      ? [`--IdentityProvider.token=${secret.token}`]
      : [
          '--IdentityProvider.token=',
          `--PasswordIdentityProvider.hashed_password=${hash(secret.password)}`,
        ]
  const words = [
    '-m',
    'jupyter_server',
    '--ip=127.0.0.1',
    '--port=0',
    '--no-browser',
    '--allow-root',
    `--ServerApp.root_dir=${folder}`,
    ...signIn,
  ]
  const child = spawn(PYTHON, words, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(said)
    if (found) resolve(`http://127.0.0.1:${found[1]}`)
  })
  child.once('exit', () => reject(new Error(`Jupyter did not start: ${said}`)))
  return {
    url: await promise,
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
