import path from 'node:path'
import { root } from '../run-step.ts'

/** Target platform of a package, in Node's terms. */
export interface Target {
  readonly platform: 'darwin' | 'linux' | 'win32'
  readonly arch: 'arm64' | 'x64'
}

/**
 * An archive of the release: its name for the platform, its expected hash, and the platform's names
 * for pip and for uv.
 */
export interface Release {
  readonly triple: string
  readonly sha256: string
  readonly wheelPlatforms: readonly string[]
  readonly resolverPlatform: string
}

/**
 * The relocatable CPython of python-build-standalone. Version, release and hashes change together.
 */
export const PYTHON_VERSION = '3.12.15'
const RELEASE = '20261003'

const RELEASES: Readonly<Record<string, Release>> = {
  'linux-x64': {
    triple: 'x86_64-unknown-linux-gnu',
    sha256: '731af898886c5f821890dc901eca3c651cca8e51fa7308c159d12a1194aeac91',
    wheelPlatforms: ['manylinux_2_28_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64'],
    resolverPlatform: 'x86_64-manylinux_2_28',
  },
  'linux-arm64': {
    triple: 'aarch64-unknown-linux-gnu',
    sha256: '6541297dd1798dec8b98c3ad7492808a5b9d1c126801ceb2011e7754cd20d1ce',
    wheelPlatforms: ['manylinux_2_28_aarch64', 'manylinux_2_17_aarch64', 'manylinux2014_aarch64'],
    resolverPlatform: 'aarch64-manylinux_2_28',
  },
  'darwin-x64': {
    triple: 'x86_64-apple-darwin',
    sha256: '562c30864ece2cb1d3e0ad66a1acd498611a47e5a10ce81b99158bef1ccbd355',
    wheelPlatforms: ['macosx_12_0_x86_64'],
    resolverPlatform: 'x86_64-apple-darwin',
  },
  'darwin-arm64': {
    triple: 'aarch64-apple-darwin',
    sha256: 'ad8d0c637c0a36b967b310e2c07254f4d2ca8cabaa7699e55ed6290aceb481a2',
    wheelPlatforms: ['macosx_12_0_arm64'],
    resolverPlatform: 'aarch64-apple-darwin',
  },
  'win32-x64': {
    triple: 'x86_64-pc-windows-msvc',
    sha256: '6fba7f2ae506facf41d457ea8293c7497910a675c69a4e954875169410a50402',
    wheelPlatforms: ['win_amd64'],
    resolverPlatform: 'x86_64-pc-windows-msvc',
  },
  'win32-arm64': {
    triple: 'aarch64-pc-windows-msvc',
    sha256: 'b39c6c3aac8a88ae42fd4f2ca5a832d1e78b55506f33f0498de4dd6fc38b5162',
    wheelPlatforms: ['win_arm64'],
    resolverPlatform: 'aarch64-pc-windows-msvc',
  },
}

export const TARGETS = Object.keys(RELEASES).map((name) => {
  const [platform, arch] = name.split('-') as [Target['platform'], Target['arch']]
  return { platform, arch }
})

export function releaseFor({ platform, arch }: Target): Release {
  const release = RELEASES[`${platform}-${arch}`]
  if (!release) throw new Error(`There is no Python to pack for ${platform} ${arch}.`)
  return release
}

export const archiveName = ({ triple }: Release): string =>
  `cpython-${PYTHON_VERSION}+${RELEASE}-${triple}-install_only_stripped.tar.gz`

export const archiveUrl = (release: Release): string =>
  `https://github.com/astral-sh/python-build-standalone/releases/download/${RELEASE}/${encodeURIComponent(archiveName(release))}`

export const isThisMachine = ({ platform, arch }: Target): boolean =>
  platform === process.platform && arch === process.arch

const OS_NAMES = { darwin: 'mac', linux: 'linux', win32: 'win' }

/**
 * Returns the folder from which the packaging tool takes the Python of a package
 * (electron-builder.yml, extraResources).
 */
export const distributionFolder = ({ platform, arch }: Target): string =>
  path.join(root, 'out/packaged-python', `${OS_NAMES[platform]}-${arch}`)

export const interpreterIn = (folder: string, { platform }: Target): string =>
  platform === 'win32' ? path.join(folder, 'python.exe') : path.join(folder, 'bin/python3')
