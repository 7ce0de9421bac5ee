import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeRunFile } from '../lib/write-file-atomically.ts'
import type { Config } from './config.ts'

/** URL of a gateway for local clients. */
export interface Discovery {
  readonly url: string
  readonly pid: number
  /** Unix seconds. */
  readonly started_at: number
  readonly version: string
  readonly api_version: string
}

const fileOf = (config: Pick<Config, 'dataDir'>): string =>
  path.join(config.dataDir, 'gateway.json')

/** Writes the gateway's URL for local scripts (docs/decisions.md). */
export function writeDiscovery(config: Config, url: string): void {
  const content: Discovery = {
    url,
    pid: process.pid,
    started_at: Math.floor(Date.now() / 1000),
    version: config.productVersion,
    api_version: config.apiVersion,
  }
  writeRunFile(fileOf(config), `${JSON.stringify(content, null, 2)}\n`)
}

/** Removes the file at exit. */
export function removeDiscovery(config: Config): void {
  rmSync(fileOf(config), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Reads the file that the gateway of a data folder left for local clients. `isStale` is true if its
 * process has ended.
 */
export function readDiscovery(dataDir: string): (Discovery & { readonly isStale: boolean }) | null {
  try {
    const found = JSON.parse(readFileSync(fileOf({ dataDir }), 'utf8')) as Partial<Discovery>
    const isWhole = typeof found.url === 'string' && Number.isInteger(found.pid) && found.pid! > 0
    return isWhole ? { ...(found as Discovery), isStale: !isAlive(found.pid!) } : null
  } catch {
    return null
  }
}
