import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { readDiscovery } from '../config/discovery.ts'

/** Result of one check. `look`: works, but may need attention. */
export interface Finding {
  readonly verdict: 'good' | 'look' | 'bad'
  readonly name: string
  readonly text: string
  readonly advice?: string
}

const DATABASE = 'chat-gateway.db'
/** Readable by their owner only, because they grant access or contain user data. */
const PRIVATE_FILES = [DATABASE, 'secret.key', 'local-access.json', 'gateway.json']
const LITTLE_SPACE = 200 * 1024 * 1024
const OLDEST_NODE = 24

const isOpenToOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0

/** Checks that the folder exists, is writable and is not accessible to others. */
export function checkFolder(dataDir: string): Finding {
  const name = 'Data folder'
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found?.isDirectory()) {
    return {
      verdict: 'bad',
      name,
      text: `${dataDir} is not there`,
      advice: 'Start the gateway once, or name the right folder with --data-dir.',
    }
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK)
  } catch {
    return {
      verdict: 'bad',
      name,
      text: `${dataDir} cannot be written to`,
      advice: 'Give it to the account the gateway runs as.',
    }
  }
  if (!isOpenToOthers(dataDir)) return { verdict: 'good', name, text: dataDir }
  return {
    verdict: 'look',
    name,
    text: `${dataDir} can be opened by others`,
    advice: `Close it: chmod 700 ${JSON.stringify(dataDir)}`,
  }
}

/** Checks that other accounts cannot read the private files of the gateway. */
export function checkFiles(dataDir: string): Finding[] {
  return PRIVATE_FILES.map((name) => path.join(dataDir, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined)
    .map((file) => {
      const name = path.basename(file)
      if (!isOpenToOthers(file))
        return { verdict: 'good', name, text: 'only its owner can read it' }
      return {
        verdict: 'bad',
        name,
        text: 'others can read it',
        advice: `Close it: chmod 600 ${JSON.stringify(file)}`,
      }
    })
}

export function checkSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const text = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB are free`
  if (bavail * bsize >= LITTLE_SPACE) return { verdict: 'good', name: 'Disk', text }
  return {
    verdict: 'look',
    name: 'Disk',
    text,
    advice: 'Free some space: without it nothing can be saved or backed up.',
  }
}

export function checkDiscovery(dataDir: string): Finding {
  const found = readDiscovery(dataDir)
  const name = 'Process'
  if (!found)
    return {
      verdict: 'look',
      name,
      text: 'no gateway runs on this folder',
      advice: 'Start the app or the gateway.',
    }
  if (!found.isStale)
    return { verdict: 'good', name, text: `${found.pid} runs version ${found.version}` }
  return {
    verdict: 'look',
    name,
    text: `${found.pid} is gone and left gateway.json behind`,
    advice: 'Start the gateway again; it tidies up by itself.',
  }
}

/** Reads the whole database of a gateway that does not run. */
export async function checkDatabase(dataDir: string): Promise<Finding> {
  const name = 'Database'
  const file = path.join(dataDir, DATABASE)
  if (!statSync(file, { throwIfNoEntry: false }))
    return { verdict: 'look', name, text: 'there is none yet', advice: 'The first start makes it.' }
  if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE) {
    return {
      verdict: 'look',
      name,
      text: 'was not read',
      advice: `Run this with Node ${OLDEST_NODE} or newer to have it checked.`,
    }
  }
  const { findFileFault } = await import('../storage/damage/find-fault.ts')
  const fault = findFileFault(file)
  if (fault === null) return { verdict: 'good', name, text: 'sound from beginning to end' }
  return {
    verdict: 'bad',
    name,
    text: `damaged: ${fault}`,
    advice: 'Start the gateway with DATABASE_RECOVERY=restore to put the newest good backup back.',
  }
}
