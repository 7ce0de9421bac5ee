// Hook of the packaging tool: sets Electron's fuses in the packaged program and reads every one of
// them back.
import path from 'node:path'
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import type { AfterPackContext } from 'electron-builder'

/** Excludes the fuse that only affects speed, which stays at Electron's default. */
type CheckedFuse = Exclude<FuseV1Options, FuseV1Options.WasmTrapHandlers>

/** Required state of the fuses in the shipped program (security checklist, fuses). */
export const FUSES: Readonly<Record<CheckedFuse, boolean>> = Object.freeze({
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
})

const ENABLED = '1'.charCodeAt(0)
const DISABLED = '0'.charCodeAt(0)

const nameOf = (fuse: string): string => FuseV1Options[Number(fuse)] ?? fuse

/**
 * Reads the fuses of a program and returns a message for every deviation; empty if there is none.
 */
export async function findFuseFaults(program: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(program)
  return Object.entries(FUSES).flatMap(([fuse, isEnabled]) => {
    const state = wire[Number(fuse) as FuseV1Options]
    if (state === (isEnabled ? ENABLED : DISABLED)) return []
    const found = state === ENABLED ? 'on' : state === DISABLED ? 'off' : 'not in this Electron'
    return [`fuse ${nameOf(fuse)} has to be ${isEnabled ? 'on' : 'off'} and is ${found}`]
  })
}

function findProgram({ appOutDir, electronPlatformName, packager }: AfterPackContext): string {
  const { productFilename } = packager.appInfo
  if (electronPlatformName === 'darwin') return path.join(appOutDir, `${productFilename}.app`)
  if (electronPlatformName === 'win32') return path.join(appOutDir, `${productFilename}.exe`)
  return path.join(appOutDir, (packager as unknown as { executableName: string }).executableName)
}

export async function afterPack(context: AfterPackContext): Promise<void> {
  await context.packager.addElectronFuses(context, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: true,

    ...FUSES,
  })
  const faults = await findFuseFaults(findProgram(context))
  if (faults.length > 0) throw new Error(faults.join('; '))
}
