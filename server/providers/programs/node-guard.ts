/**
 * Ends a program with all it started when the pipe to the gateway closes, so that it does not
 * outlive a gateway that was ended the hard way; for systems whose shell cannot do that. Handed to
 * Node as text, as it needs nothing else of the gateway.
 */
const GUARD = `
const { spawn, spawnSync } = require('node:child_process')
const path = require('node:path')
const [file, ...words] = process.argv.slice(1)
const program = spawn(file, words, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true })
// The environment of the guard, which is that of its program.
const { env, platform } = process
const end = () => {
  if (program.pid === undefined) return
  if (platform !== 'win32') return void program.kill('SIGKILL')
  const ender = path.join(env.SYSTEMROOT ?? 'C:\\\\Windows', 'System32', 'taskkill.exe')
  spawnSync(ender, ['/pid', String(program.pid), '/T', '/F'], { windowsHide: true })
}
process.stdin.on('end', end).on('error', end).resume()
program.once('error', (error) => {
  process.stderr.write(error.message + '\\n')
  process.exit(127)
})
program.once('exit', (code) => process.exit(code ?? 1))
`

/** Whether this process is a Node that can run a script; the packaged desktop app is none. */
export const canGuardByNode = (): boolean => process.versions['electron'] === undefined

/** The command that runs a program under the guard, whose input is to be a pipe that stays open. */
export const guardByNode = (
  file: string,
  words: readonly string[],
): readonly [string, readonly string[]] => [process.execPath, ['-e', GUARD, '--', file, ...words]]
