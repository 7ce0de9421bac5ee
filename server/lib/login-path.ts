import { execFile } from 'node:child_process'
import path from 'node:path'

const PATIENCE_MILLISECONDS = 3_000
const MARK = '__chat_gateway_path__'

/** Folders most installers use, as a fallback if the shell does not respond. */
const USUAL_FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/bin']

/**
 * Asks the login shell for its search path, as a terminal would have it; returns null if it does
 * not respond in time.
 */
function askShell(
  shell: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const script = `printf '%s%s%s' ${MARK} "$PATH" ${MARK}`
    execFile(
      shell,
      ['-ilc', script],
      { env: environment, timeout: PATIENCE_MILLISECONDS, killSignal: 'SIGKILL' },
      (_, stdout) => {
        resolve(stdout.split(MARK)[1] ?? null)
      },
    )
  })
}

/**
 * Returns the search path for programs of tool servers: that of the login shell, then the gateway's
 * own, then the default folders.
 */
export async function readLoginPath(
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const shell = environment['SHELL']
  const isAsked = process.platform !== 'win32' && shell !== undefined && path.isAbsolute(shell)
  const asked = isAsked ? await askShell(shell, environment) : null
  const parts = [
    asked,
    environment['PATH'] ?? environment['Path'],
    ...(process.platform === 'win32' ? [] : USUAL_FOLDERS),
  ]
  const folders = parts
    .flatMap((part) => part?.split(path.delimiter) ?? [])
    .filter((folder) => folder !== '')
  return [...new Set(folders)].join(path.delimiter)
}
