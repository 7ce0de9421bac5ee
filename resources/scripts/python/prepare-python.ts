import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  compileModules,
  describeContents,
  installForeign,
  installNatively,
  runPython,
} from './install-base.ts'
import { obtainRelease } from './obtain-release.ts'
import {
  distributionFolder,
  interpreterIn,
  isThisMachine,
  releaseFor,
  type Target,
} from './targets.ts'
import { removeTraces, sizeOf, trim, trimEmbedding } from './trim.ts'

const toMegabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

/** Checks that everything packaged can be imported. */
const TRIAL =
  'import ssl, sqlite3, venv, ensurepip, pip, pydantic, fastapi, requests, aiohttp, httpx, cryptography.hazmat.bindings._rust, bs4, loguru, pytz, ' +
  'dateutil, aiofiles, markdown, PIL.Image, yaml, python_multipart, anyio'

async function place(folder: string, target: Target): Promise<void> {
  const override = process.env['PYTHON_OVERRIDE_DIST_PATH']
  await rm(folder, { recursive: true, force: true })
  if (!override) return obtainRelease(releaseFor(target), folder)
  if (!isThisMachine(target))
    throw new Error(
      `PYTHON_OVERRIDE_DIST_PATH holds no Python for ${target.platform} ${target.arch}.`,
    )
  await mkdir(path.dirname(folder), { recursive: true })
  await cp(override, folder, { recursive: true, verbatimSymlinks: true })
}

/** Runs some work with an interpreter for this machine. */
async function withHost(target: Target, work: (python: string) => Promise<void>): Promise<void> {
  const host: Target = { platform: target.platform, arch: process.arch as Target['arch'] }
  const scratch = await mkdtemp(path.join(tmpdir(), 'chat-gateway-python-'))
  try {
    const folder = path.join(scratch, 'python')
    await place(folder, host)
    await work(interpreterIn(folder, host))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Prepares the Python of a package: the interpreter without unneeded parts, the packages available
 * to every plugin, and a list of them.
 */
export async function preparePython(target: Target): Promise<void> {
  if (target.platform !== process.platform)
    throw new Error(`A package for ${target.platform} can only be made there.`)
  const folder = distributionFolder(target)
  const python = interpreterIn(folder, target)
  await place(folder, target)
  await trim(folder, target)
  if (isThisMachine(target)) {
    await trimEmbedding(
      folder,
      async () => (await runPython(python, ['-c', 'import ssl']).catch(() => null)) !== null,
    )
  }
  const bare = await sizeOf(folder)
  const finish = async (host: string): Promise<void> => {
    await removeTraces(folder, target)
    await compileModules(folder, host)
  }
  if (isThisMachine(target)) {
    await installNatively(folder, target)
    await runPython(python, ['-c', TRIAL])
    await finish(python)
  } else {
    await withHost(target, async (host) => {
      await installForeign(folder, target, host)
      await finish(host)
    })
  }
  await describeContents(folder, target)
  const packages = (await sizeOf(folder)) - bare
  console.log(
    `Python for ${target.platform} ${target.arch}: ${toMegabytes(bare)} MB, its packages ${toMegabytes(packages)} MB (unpacked)`,
  )
}
