/**
 * Ends a program and all its child processes when the pipe to the gateway closes, so that it does
 * not outlive a gateway that was killed; for systems whose shell cannot do that. Passed to Node as
 * text, since it needs nothing else of the gateway.
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

/**
 * Reports whether this process is a Node that can run a script; the packaged desktop app is not.
 */
export const canGuardByNode = (): boolean => process.versions['electron'] === undefined

/**
 * Returns the command that runs a program under the guard; its input must be a pipe that stays
 * open.
 */
export const guardByNode = (
  file: string,
  words: readonly string[],
): readonly [string, readonly string[]] => [process.execPath, ['-e', GUARD, '--', file, ...words]]
