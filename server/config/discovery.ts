import { rmSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomically } from '../lib/write-file-atomically.ts'
import type { Config } from './config.ts'

const fileOf = (config: Config): string => path.join(config.dataDir, 'gateway.json')

/** Tells local scripts where the gateway answers (decisions §1, Discovery). */
export function writeDiscovery(config: Config, url: string): void {
  const content = {
    url,
    pid: process.pid,
    started_at: Math.floor(Date.now() / 1000),
    version: config.productVersion,
    api_version: config.apiVersion,
  }
  writeFileAtomically(fileOf(config), `${JSON.stringify(content, null, 2)}\n`)
}

/** Removes the file at exit. */
export function removeDiscovery(config: Config): void {
  rmSync(fileOf(config), { force: true })
}
