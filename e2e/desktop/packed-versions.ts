import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { copyPacked, type PackedFaults, type PackedFolder } from './packed-app.ts'
import { writeFeedFile } from './update-server.ts'

/** Two versions made by the packing tool; `.ci/prove-updates` makes them. */
export interface PackedVersions {
  readonly older: string
  readonly newer: string
}

/** Returns the folders of both versions; null if they were not packed. */
export function findPackedVersions(): PackedVersions | null {
  const folder = process.env['PACKED_VERSIONS']
  if (!folder) return null
  const of = (name: string): string => path.join(folder, name, 'linux-unpacked')
  const versions = { older: of('older'), newer: of('newer') }
  return Object.values(versions).every((each) => existsSync(each)) ? versions : null
}

/**
 * Writes a packed folder as one file that starts it, as an AppImage does. The tool that writes
 * AppImages is a download of the packing tool; this file unpacks itself with `tar` instead of being
 * mounted, and sets `APPIMAGE` as the runtime of an AppImage does.
 */
export function writeCarrier(folder: string, { file, mounts }: { file: string; mounts: string }) {
  const label = path.basename(file, '.AppImage')
  const mount = path.join(mounts, label)
  const lines = [
    '#!/bin/sh',
    'APPIMAGE=$(readlink -f "$0")',
    'export APPIMAGE',
    `echo "${label} $*" >> "${mounts}/starts.log"`,
    `[ -d "${mount}" ] || { mkdir -p "${mount}" && tail -n +7 "$APPIMAGE" | tar -xf - -C "${mount}"; }`,
    `exec "${mount}/chat-gateway" "$@"`,
  ]
  mkdirSync(mounts, { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const archive = `${file}.tar`
  execFileSync('tar', ['-cf', archive, '-C', folder, '.'])
  appendFileSync(file, readFileSync(archive))
  rmSync(archive)
  chmodSync(file, 0o755)
}

export interface Carriers {
  readonly older: string
  readonly newer: string
  /** The newer version with a gateway that ends at once, and scripted answers to its dialogs. */
  readonly broken: string
  /** Folder of the older version, which need not be unpacked again. */
  readonly olderFolder: string
  /** Lists the starts of all of them: label and arguments. */
  starts(): string[]
}

export interface CarrierParts {
  readonly versions: PackedVersions
  readonly folder: string
  /** URL of the update server, which is fixed in a packed app. */
  readonly feed: string
  readonly brokenBy: PackedFaults
}

/** Makes a file of each version in a folder. */
export async function makeCarriers(parts: CarrierParts): Promise<Carriers> {
  const { versions, folder, feed, brokenBy } = parts
  const mounts = path.join(folder, 'mounts')
  const make = (label: string, packed: PackedFolder): string => {
    const file = path.join(folder, `${label}.AppImage`)
    writeCarrier(packed.folder, { file, mounts })
    return file
  }
  const copy = async (name: 'older' | 'newer' | 'broken', faults?: PackedFaults) => {
    const from = versions[name === 'older' ? name : 'newer']
    const copied = await copyPacked(from, path.join(folder, name, 'app'), faults)
    writeFeedFile(path.join(copied.folder, 'resources'), feed)
    return copied
  }
  const log = path.join(mounts, 'starts.log')
  const unpacked = await copy('older')
  const older = make('older', unpacked)
  const olderFolder = path.join(mounts, 'older')
  renameSync(unpacked.folder, olderFolder)
  return {
    older,
    olderFolder,
    newer: make('newer', await copy('newer')),
    broken: make('broken', await copy('broken', brokenBy)),
    starts: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [],
  }
}
