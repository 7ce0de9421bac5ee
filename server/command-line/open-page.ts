import { spawn } from 'node:child_process'
import { CommandError, EXIT } from './command-error.ts'

/**
 * What opens a page on each system; the address is an argument of its own, never part of a command
 * for a shell.
 */
function toCommand(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]]
  return process.platform === 'win32'
    ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
    : ['xdg-open', [url]]
}

/** Hands an address to the browser of the person. */
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
