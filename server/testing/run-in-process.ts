import { spawnSync } from 'node:child_process'

/**
 * Runs a module of the product in a separate process, as `import(module).then(code)`; resolves with
 * its exit status and output.
 */
export function runInProcess(
  code: string,
  values: readonly string[],
): { signal: NodeJS.Signals | null; status: number | null; output: string } {
  const result = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code, '--', ...values],
    {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    },
  )
  return { signal: result.signal, status: result.status, output: result.stdout + result.stderr }
}
