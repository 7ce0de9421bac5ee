import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../../config/program.ts'

/** A package with the engine's files for NVIDIA cards. */
export interface CudaPackage {
  /** Name by which the library imports it. */
  readonly name: string
  readonly version: string
  /** Name of its archive, and of its folder without the ending. */
  readonly fileName: string
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', win32: 'win' }
/** The first holds the engine for CUDA 13, the second the part that CUDA 12 needs instead. */
const KINDS = ['cuda', 'cuda-ext']

/**
 * Returns the version of the library, which accepts packages of the same version only; null where
 * it is not installed.
 */
function readLibraryVersion(): string | null {
  const file = path.join(readProgram().folder, 'node_modules', 'node-llama-cpp', 'package.json')
  if (!existsSync(file)) return null
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}

/** Returns the packages for a computer; none where the library has no such package. */
export function listCudaPackages(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
): CudaPackage[] {
  const system = SYSTEMS[platform]
  if (system === undefined || architecture !== 'x64') return []
  const version = readLibraryVersion()
  if (version === null) return []
  return KINDS.map((kind) => ({
    name: `@node-llama-cpp/${system}-x64-${kind}`,
    version,
    fileName: `${system}-x64-${kind}-${version}.tgz`,
  }))
}
