import { spawn } from 'node:child_process'
import { CommandError, EXIT } from './command-error.ts'

/**
 * Returns the command that opens a page on each system; the URL is a separate argument, never part
 * of a shell command.
 */
function toCommand(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]]
  return process.platform === 'win32'
    ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
    : ['xdg-open', [url]]
}

/** Opens a URL in the user's browser. */
export function openPage(url: string): Promise<void> {
  const [command, words] = toCommand(url)
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: 'ignore', detached: true })
    child.once('error', () =>
      reject(
        new CommandError(EXIT.failed, `No browser could be opened here. The address is ${url}`),
      ),
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
