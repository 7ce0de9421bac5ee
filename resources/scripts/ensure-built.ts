import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from './run-step.ts'

const SOURCES = ['main', 'preload', 'renderer', 'server', 'resources/scripts', 'package-lock.json']
const stamp = path.join(root, 'out/.built')

function newest(target: string): number {
  const stat = statSync(target)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(target).map((name) => newest(path.join(target, name))))
}

/** Builds the bundles unless they are newer than every source file. */
export async function ensureBuilt(): Promise<void> {
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
  if (SOURCES.every((source) => newest(path.join(root, source)) < builtAt)) return
  console.log('Building the interface and the gateway (about 15 seconds, once) …')
  const started = new Date()
  const code = await run('node', ['resources/scripts/build.ts'])
  if (code !== 0) process.exit(code)
  writeFileSync(stamp, started.toISOString())
}
